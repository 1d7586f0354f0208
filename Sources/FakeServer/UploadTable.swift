import ChatWire

/// The received size of each uploaded file, by name.
///
/// A file is received from start to end, without gaps. Bytes that the server already has are skipped; a request that
/// would leave a gap is rejected.
struct UploadTable: Sendable {
    private struct File: Sendable {
        let size: Int64
        var received: Int64 = 0
        var isComplete = false
    }

    enum Outcome {
        /// The request has added `by` bytes to the file, starting at offset `from`.
        case grew(UploadReceipt, from: Int64, by: Int64)
        /// The request contained no new bytes.
        case repeated(UploadReceipt)
        /// The request begins beyond the received bytes, or the name belongs to a file of a different size.
        case unfit
        /// The file exceeds ``UploadTable/largest``.
        case tooLarge
    }

    /// The maximum size of a file in bytes, limited because a download sends the whole file at once.
    static let largest: Int64 = 256 << 20

    private var files: [String: File] = [:]

    /// Returns the size in bytes of a complete file; nil for any other name.
    func size(of name: String) -> Int64? {
        files[name].flatMap { $0.isComplete ? $0.size : nil }
    }

    /// Returns the number of bytes received for a file, whether or not it is complete.
    func received(of name: String) -> Int64 { files[name]?.received ?? 0 }

    /// Adds a complete file as if a client had uploaded it.
    mutating func put(_ name: String, bytes: Int64) {
        files[name] = File(size: bytes, received: bytes, isComplete: true)
    }

    mutating func take(_ count: Int64, of name: String, _ part: UploadPart) -> Outcome {
        guard part.size <= Self.largest else { return .tooLarge }
        var file = files[name] ?? File(size: part.size)
        let end = part.offset.addingReportingOverflow(count)
        guard file.size == part.size, part.offset <= file.received, !end.overflow, end.partialValue <= file.size else {
            return .unfit
        }
        let before = file.received
        let wasComplete = file.isComplete
        file.received = max(before, end.partialValue)
        file.isComplete = file.received == file.size
        files[name] = file
        let receipt = UploadReceipt(received: file.received, isComplete: file.isComplete)
        return file.received > before || file.isComplete != wasComplete
            ? .grew(receipt, from: before, by: file.received - before) : .repeated(receipt)
    }
}
