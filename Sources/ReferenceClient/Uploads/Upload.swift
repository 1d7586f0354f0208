import SquallCore

/// A file shared by the user that the server has not yet received in full.
struct Upload {
    enum Status {
        /// Waiting for the write to disk, for earlier files, for a free link or for the end of a pause. Next: sending,
        /// handedOver.
        case waiting
        /// Chunks are in flight. Next: waiting when they have ended; removed when the server has the whole file;
        /// failed.
        case sending
        /// The phone's transfer service sends the remaining bytes. Next: removed when complete; waiting or failed if
        /// the server rejects the upload.
        case handedOver
        /// Rejected permanently. Next: waiting if the user retries an image.
        case failed
    }

    /// The upload's key in the trace, and its name on the server unless ``path`` is set.
    ///
    /// Repeated uploads with the same name refer to the same file.
    let key: String
    /// The file's name on the server; nil if that is ``key``. Only images have a separate name, because the key of an
    /// image's upload is the key of its message.
    let path: String?
    /// The file's name on the phone.
    let file: String
    /// The size of the file in bytes.
    let size: Int64
    /// The position in the queue, in the order in which the user shared the files.
    let orderNumber: Int64
    var status = Status.waiting
    /// Whether the upload is on disk and may therefore be sent.
    var isStored = false
    /// The number of bytes, from the start of the file, that the server has received.
    private(set) var received: Int64 = 0
    /// The number of bytes, from the start of the file, that the server has received or that are in flight.
    private(set) var asked: Int64 = 0
    /// The number of chunks in flight.
    private var partsInFlight = 0
    /// The instant at which the newest chunk was sent.
    private(set) var askedAt = Instant.zero
    /// The number of consecutive failed requests.
    var consecutiveFailures: Int64 = 0
    /// The highest percentage that the server has confirmed so far.
    private(set) var highestPercent: Int64 = 0
    /// The displayed progress: the highest percentage on disk, so that it does not decrease if the process is killed.
    private(set) var shownPercent: Int64 = 0

    /// The user who shared the file; nil for the default user, who has the client's name. The file is sent only with
    /// this user's credential.
    let owner: String?

    init(key: String, path: String? = nil, file: String, size: Int64, orderNumber: Int64, owner: String?) {
        self.owner = owner
        self.key = key
        self.path = path
        self.file = file
        self.size = size
        self.orderNumber = orderNumber
    }

    var isWholeAsked: Bool { asked == size && partsInFlight > 0 }

    var isImage: Bool { path != nil }

    /// The percentage of bytes that the server has received.
    var percent: Int64 { size == 0 ? 100 : received * 100 / size }

    /// Returns the next chunk and counts it as in flight.
    mutating func takeChunk(_ bytes: Int64, at now: Instant) -> Chunk {
        let chunk = Chunk(upload: key, name: path ?? key, offset: asked, count: min(bytes, size - asked), size: size)
        asked += chunk.count
        askedAt = now
        partsInFlight += 1
        status = .sending
        return chunk
    }

    /// Handles the outcome of a chunk in flight. `known` is the number of bytes that the server has confirmed, or nil
    /// if it has not responded.
    mutating func chunkEnded(received known: Int64? = nil) {
        if let known { received = min(max(known, 0), size) }
        highestPercent = max(highestPercent, percent)
        partsInFlight = max(partsInFlight - 1, 0)
        if partsInFlight == 0 { rest(.waiting) }
    }

    /// Discards all chunks in flight and sets the status.
    mutating func rest(_ status: Status) {
        partsInFlight = 0
        asked = received
        self.status = status
    }

    mutating func restart() {
        received = 0
        rest(.waiting)
    }

    /// Displays a percentage unless a higher one is already displayed.
    mutating func show(percent: Int64) { shownPercent = max(shownPercent, percent) }
}

/// A part of a file, sent as one request.
struct Chunk: Hashable {
    let upload: String
    /// The file's name on the server.
    let name: String
    /// The offset of the first byte in the file.
    let offset: Int64
    let count: Int64
    /// The size of the whole file in bytes.
    let size: Int64

    /// The content: the value of each byte is its offset in the file modulo 256, so that the file need not be stored.
    var content: [UInt8] {
        let first = UInt8(truncatingIfNeeded: offset)
        return (0..<Int(clamping: count)).map { first &+ UInt8(truncatingIfNeeded: $0) }
    }
}

// MARK: - Storage

extension Upload {
    static let storePrefix = "uploads/"

    /// The key in the store, padded so that the keys sort in the order of ``orderNumber``.
    var storeKey: String {
        let digits = String(orderNumber)
        return Self.storePrefix + String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    }

    var stored: JSON {
        var fields: JSON = [
            "place": .integer(orderNumber),
            "name": .string(key),
            "file": .string(file),
            "size": .integer(size),
            "received": .integer(received),
            "percent": .integer(highestPercent),
        ]
        if let path { fields.set("path", to: .string(path)) }
        if let owner { fields.set("owner", to: .string(owner)) }
        return fields
    }

    /// Restores an upload from disk; bytes that the server has confirmed are not sent again.
    init?(stored: JSON) {
        guard let orderNumber = stored["place"]?.intValue, let key = stored["name"]?.stringValue,
            let file = stored["file"]?.stringValue, let size = stored["size"]?.intValue, size >= 0,
            let received = stored["received"]?.intValue, (0...size).contains(received)
        else { return nil }
        let (path, owner) = (stored["path"]?.stringValue, stored["owner"]?.stringValue)
        self.init(key: key, path: path, file: file, size: size, orderNumber: orderNumber, owner: owner)
        self.received = received
        asked = received
        highestPercent = max(percent, min(stored["percent"]?.intValue ?? 0, 100))
        shownPercent = highestPercent
        isStored = true
    }
}
