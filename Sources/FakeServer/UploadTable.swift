import ChatWire

/// What the server has of each file that is being uploaded, by the file's name.
///
/// A file grows from its beginning without a hole, whoever sends its parts and however often: bytes that are there already
/// are passed over, and those beyond what is there are not taken.
struct UploadTable: Sendable {
    private struct File: Sendable {
        let size: Int64
        var received: Int64 = 0
        var isComplete = false
    }

    enum Outcome {
        /// So many bytes more, from there on.
        case grew(UploadReceipt, from: Int64, by: Int64)
        /// Nothing new.
        case repeated(UploadReceipt)
        /// Bytes before it are missing, or the name is that of a file of another size.
        case unfit
        /// Of a file that is larger than any may be.
        case tooLarge
    }

    /// Bytes of the largest file: whoever gets one back gets it whole.
    static let largest: Int64 = 256 << 20

    private var files: [String: File] = [:]

    /// Bytes of a file that is stored as a whole; nil of any other.
    func size(of name: String) -> Int64? {
        files[name].flatMap { $0.isComplete ? $0.size : nil }
    }

    /// Bytes that are here of a file, whole or not.
    func received(of name: String) -> Int64 { files[name]?.received ?? 0 }

    /// A file that was there before anybody sent it.
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
