/// What a message shows beside its text: where it lies, and how large it is.
package struct MessageMedia: Hashable, Sendable {
    /// ``image``, or a kind that a newer client may know.
    package var type: String
    /// The target of the request that gets it; nil while it is being uploaded.
    package var url: String?
    /// The same, for a small picture of it.
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
        .extra(.mediaType, .text, "What it shows beside its text: `image`, or a kind that its reader may not know."),
        .extra(.mediaURL, .text, "Where that lies: the target of a `GET`."),
        .extra(.thumbnailURL, .text, "Where a small picture of it lies."),
        .extra(.mediaMetadata, .object(MediaMetadata.shape.name), "How large the picture is."),
    ]

    func write(to writer: inout ObjectWriter) {
        writer.put(.mediaType, type)
        writer.put(.mediaURL, url)
        writer.put(.thumbnailURL, thumbnailURL)
        if let metadata { writer.put(.mediaMetadata, metadata) }
    }

    /// Nil for a message that is text alone.
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

/// How large a picture is, in pixels.
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
        "How large a picture is.",
        [
            .needs(.width, .count, "Pixels."),
            .needs(.height, .count, "Pixels."),
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
