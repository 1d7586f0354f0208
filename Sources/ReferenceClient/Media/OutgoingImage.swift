import ChatWire
import SquallCore

/// The image of one of the user's messages; the message is sent once the image has been uploaded.
struct OutgoingImage {
    /// The reason why the image was not uploaded.
    enum Trouble: String {
        /// All attempts have failed. Next: a retry by the user.
        case failed
        /// The server has rejected the image permanently.
        case refused
    }

    let file: String
    /// The size of the upload in bytes.
    let bytes: Int64
    /// The width and height of the image in pixels.
    let width: Int64
    let height: Int64
    /// The image's URL on the server; nil until the upload is complete.
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
            "trouble": trouble.map { .string($0.rawValue) } ?? .null,
        ]
    }

    init?(stored: JSON?) {
        guard let stored, let file = stored["file"]?.stringValue, let bytes = stored["bytes"]?.intValue,
            let width = stored["width"]?.intValue, let height = stored["height"]?.intValue
        else { return nil }
        self.init(file: file, bytes: bytes, width: width, height: height)
        url = stored["url"]?.stringValue
        thumbnailURL = stored["thumbnail_url"]?.stringValue
        trouble = stored["trouble"]?.stringValue.flatMap(Trouble.init)
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

    /// Restores media from disk; missing fields are nil, as in records written by older versions.
    init?(stored: JSON?) {
        guard let stored, let type = stored["type"]?.stringValue else { return nil }
        self.init(type: type, url: stored["url"]?.stringValue, thumbnailURL: stored["thumbnail_url"]?.stringValue)
        if let width = stored["width"]?.intValue, let height = stored["height"]?.intValue {
            metadata = MediaMetadata(width: width, height: height)
        }
    }
}
