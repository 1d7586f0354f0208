/// The part of a file that an upload request contains.
package struct UploadPart: Hashable, Sendable {
    /// The position of the part's first byte, from 0.
    package var offset: Int64
    /// The size of the whole file in bytes.
    package var size: Int64

    package init(offset: Int64, size: Int64) {
        self.offset = offset
        self.size = size
    }
}

/// The response body of an upload: how much of the file the server has received so far.
package struct UploadReceipt: Hashable, Sendable {
    /// The number of bytes that the server has received without gaps, counted from the beginning of the file.
    package var received: Int64
    package var isComplete: Bool
    /// The request target for the download; nil unless the file is complete and is the image of a message.
    package var url: String?
    package var thumbnailURL: String?

    package init(received: Int64, isComplete: Bool, url: String? = nil, thumbnailURL: String? = nil) {
        self.received = received
        self.isComplete = isComplete
        self.url = url
        self.thumbnailURL = thumbnailURL
    }
}

extension UploadReceipt: WireObject {
    package static let shape = ObjectShape(
        "upload receipt",
        "How much of a file the server has.",
        [
            .needs(
                .received,
                .count,
                "The number of bytes received from the file's beginning; the next part begins there."
            ),
            .needs(.complete, .flag, "Whether the file is complete."),
            .extra(
                .mediaURL,
                .text,
                "The request target for the download, if the file is complete and an image of a message."
            ),
            .extra(.thumbnailURL, .text, "The request target of the thumbnail."),
        ]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.received, received)
        writer.put(.complete, isComplete)
        writer.put(.mediaURL, url)
        writer.put(.thumbnailURL, thumbnailURL)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        received = try reader.count(.received)
        isComplete = try reader.flag(.complete)
        url = reader.textIfFit(.mediaURL)
        thumbnailURL = reader.textIfFit(.thumbnailURL)
    }
}
