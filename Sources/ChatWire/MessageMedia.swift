/// The media of a message: its type, its URL and its size.
package struct MessageMedia: Hashable, Sendable {
    /// The kind of media: ``image``, or a type that only newer clients know.
    package var type: String
    /// The request target for the download; nil while the file is being uploaded.
    package var url: String?
    /// The request target of the thumbnail; nil if there is none.
    package var thumbnailURL: String?
    package var metadata: MediaMetadata?

    package static let image = "image"

    package init(type: String, url: String? = nil, thumbnailURL: String? = nil, metadata: MediaMetadata? = nil) {
        self.type = type
        self.url = url
        self.thumbnailURL = thumbnailURL
        self.metadata = metadata
    }
}

extension MessageMedia {
    static let fields: [FieldShape] = [
        .extra(
            .mediaType,
            .text,
            "The type of media sent with the text: `image`, or a type that the reader may not know."
        ),
        .extra(.mediaURL, .text, "The request target for the download, with `GET`."),
        .extra(.thumbnailURL, .text, "The request target of the thumbnail."),
        .extra(.mediaMetadata, .object(MediaMetadata.shape.name), "The size of the picture."),
    ]

    func write(to writer: inout ObjectWriter) {
        writer.put(.mediaType, type)
        writer.put(.mediaURL, url)
        writer.put(.thumbnailURL, thumbnailURL)
        if let metadata { writer.put(.mediaMetadata, metadata) }
    }

    /// Reads the media of a message; returns nil for a message without media.
    static func read(from reader: inout ObjectReader) -> MessageMedia? {
        guard let type = reader.textIfFit(.mediaType) else { return nil }
        return MessageMedia(
            type: type,
            url: reader.textIfFit(.mediaURL),
            thumbnailURL: reader.textIfFit(.thumbnailURL),
            metadata: reader.objectIfFit(.mediaMetadata)
        )
    }
}

/// The size of a picture in pixels.
package struct MediaMetadata: Hashable, Sendable {
    package var width: Int64
    package var height: Int64

    package init(width: Int64, height: Int64) {
        self.width = width
        self.height = height
    }
}

extension MediaMetadata: WireObject {
    package static let shape = ObjectShape(
        "media metadata",
        "The size of a picture.",
        [
            .needs(.width, .count, "The width in pixels."),
            .needs(.height, .count, "The height in pixels."),
        ]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.width, width)
        writer.put(.height, height)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        width = try reader.count(.width)
        height = try reader.count(.height)
    }
}
