import ChatWire
import SquallCore

/// An image that the user sends: a message that waits for its upload before it goes out.
struct OutgoingImage {
    /// Why it has not been uploaded.
    enum Trouble {
        /// Nobody took it, as often as it was tried. It can be retried.
        case failed
        /// The server does not want it there.
        case refused
    }

    let file: String
    /// Bytes, as it is uploaded.
    let bytes: Int64
    /// Pixels.
    let width: Int64
    let height: Int64
    /// Where the server has it; nil while it has not.
    var url: String?
    var thumbnailURL: String?
    var trouble: Trouble?

    init(file: String, bytes: Int64, width: Int64, height: Int64) {
        self.file = file
        self.bytes = bytes
        self.width = width
        self.height = height
    }

    var media: MessageMedia {
        MessageMedia(
            type: MessageMedia.image,
            url: url,
            thumbnailURL: thumbnailURL,
            metadata: MediaMetadata(width: width, height: height)
        )
    }
}

// MARK: - On disk

extension OutgoingImage {
    var stored: JSON {
        [
            "file": .string(file), "bytes": .integer(bytes), "width": .integer(width), "height": .integer(height),
            "url": url.map { .string($0) } ?? .null,
            "thumbnail_url": thumbnailURL.map { .string($0) } ?? .null,
        ]
    }

    init?(stored: JSON?) {
        guard let stored, let file = stored["file"]?.stringValue, let bytes = stored["bytes"]?.intValue,
            let width = stored["width"]?.intValue, let height = stored["height"]?.intValue
        else { return nil }
        self.init(file: file, bytes: bytes, width: width, height: height)
        url = stored["url"]?.stringValue
        thumbnailURL = stored["thumbnail_url"]?.stringValue
    }
}

extension MessageMedia {
    var stored: JSON {
        [
            "type": .string(type), "url": url.map { .string($0) } ?? .null,
            "thumbnail_url": thumbnailURL.map { .string($0) } ?? .null,
            "width": (metadata?.width).map { .integer($0) } ?? .null,
            "height": (metadata?.height).map { .integer($0) } ?? .null,
        ]
    }

    /// Whatever is missing is not there: records of older versions have none of it.
    init?(stored: JSON?) {
        guard let stored, let type = stored["type"]?.stringValue else { return nil }
        self.init(type: type, url: stored["url"]?.stringValue, thumbnailURL: stored["thumbnail_url"]?.stringValue)
        if let width = stored["width"]?.intValue, let height = stored["height"]?.intValue {
            metadata = MediaMetadata(width: width, height: height)
        }
    }
}
