/// Which bytes of a file a request brings.
package struct UploadPart: Hashable, Sendable {
    /// The part's first byte, from 0.
    package var offset: Int64
    /// Bytes of the whole file.
    package var size: Int64

    package init(offset: Int64, size: Int64) {
        self.offset = offset
        self.size = size
    }
}

/// The answer to an upload: what the server has of the file by now.
package struct UploadReceipt: Hashable, Sendable {
    /// Bytes from the file's beginning, without a hole.
    package var received: Int64
    package var isComplete: Bool
    /// Where the whole file lies, where it is an image of a message.
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
        "What the server has of a file by now.",
        [
            .needs(.received, .count, "Bytes from the file's beginning; the next part begins there."),
            .needs(.complete, .flag, "Whether the file is stored as a whole."),
            .extra(.mediaURL, .text, "Where it lies then, where it is an image of a message."),
            .extra(.thumbnailURL, .text, "Where a small picture of it lies."),
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
