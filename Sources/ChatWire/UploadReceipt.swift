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

    package init(received: Int64, isComplete: Bool) {
        self.received = received
        self.isComplete = isComplete
    }
}

extension UploadReceipt: WireObject {
    package static let shape = ObjectShape(
        "upload receipt",
        "What the server has of a file by now.",
        [
            .needs(.received, .count, "Bytes from the file's beginning; the next part begins there."),
            .needs(.complete, .flag, "Whether the file is stored as a whole."),
        ]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.received, received)
        writer.put(.complete, isComplete)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        received = try reader.count(.received)
        isComplete = try reader.flag(.complete)
    }
}
