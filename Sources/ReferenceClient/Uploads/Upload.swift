import SquallCore

/// A file of the user that the server does not have as a whole.
struct Upload {
    enum Status {
        /// Waits for the disk, its turn, a free link or the end of a pause. Next: sending, handedOver.
        case waiting
        /// Chunks of it are under way. Next: waiting when they are over, gone when the server has all, failed.
        case sending
        /// The phone's transfer service has the rest of it. Next: gone; waiting or failed where it was turned down.
        case handedOver
        /// Turned down for good.
        case failed
    }

    /// Its name at the server, and its key in the trace: what is sent under it twice is one file.
    let key: String
    /// Its name at the server where that is another than its key, as for the image of the message that is the key.
    let path: String?
    /// What the user calls it.
    let file: String
    /// Bytes.
    let size: Int64
    /// Its place in the queue, ascending as the user shared.
    let place: Int64
    var status = Status.waiting
    /// Whether it is on disk, and so may leave.
    var isStored = false
    /// Bytes from its beginning that the server has.
    private(set) var received: Int64 = 0
    /// Bytes from its beginning that the server has or that are under way.
    private(set) var asked: Int64 = 0
    /// Chunks under way.
    private var underWay = 0
    /// When the newest of them was begun.
    private(set) var askedAt = Instant.zero
    /// Requests in a row that have failed.
    var troubles: Int64 = 0
    /// The most that was ever known to be there, of a hundred bytes: what is shown never goes back.
    private(set) var shownPercent: Int64 = 0

    /// Whose it is: with nobody else's key does it leave.
    ///
    /// Nil for the user that was never named.
    let owner: String?

    init(key: String, path: String? = nil, file: String, size: Int64, place: Int64, owner: String?) {
        self.owner = owner
        self.key = key
        self.path = path
        self.file = file
        self.size = size
        self.place = place
    }

    var isWholeAsked: Bool { asked == size && underWay > 0 }

    var isImage: Bool { path != nil }

    /// Of a hundred bytes, how many the server has.
    var percent: Int64 { size == 0 ? 100 : received * 100 / size }

    /// The next chunk, which counts as under way from now on.
    mutating func takeChunk(_ bytes: Int64, at now: Instant) -> Chunk {
        let chunk = Chunk(upload: key, name: path ?? key, offset: asked, count: min(bytes, size - asked), size: size)
        asked += chunk.count
        askedAt = now
        underWay += 1
        status = .sending
        return chunk
    }

    /// A chunk is no longer under way; `received` where the server said what it has.
    mutating func chunkEnded(received known: Int64? = nil) {
        if let known { received = min(max(known, 0), size) }
        shownPercent = max(shownPercent, percent)
        underWay = max(underWay - 1, 0)
        if underWay == 0 { rest(.waiting) }
    }

    /// Nothing of it is under way any more.
    mutating func rest(_ status: Status) {
        underWay = 0
        asked = received
        self.status = status
    }

    mutating func beginAnew() {
        received = 0
        rest(.waiting)
    }
}

/// A part of a file on its way.
struct Chunk: Hashable {
    let upload: String
    /// What the server calls the file.
    let name: String
    /// Its first byte.
    let offset: Int64
    let count: Int64
    /// Bytes of the whole file.
    let size: Int64

    /// The bytes themselves: each is its place in the file, so that nobody has to keep the file.
    var content: [UInt8] {
        let first = UInt8(truncatingIfNeeded: offset)
        return (0..<Int(clamping: count)).map { first &+ UInt8(truncatingIfNeeded: $0) }
    }
}

// MARK: - On disk

extension Upload {
    static let storePrefix = "uploads/"

    /// Ascends as text as the places do.
    var storeKey: String {
        let digits = String(place)
        return Self.storePrefix + String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    }

    var stored: JSON {
        var fields: JSON = [
            "place": .integer(place),
            "name": .string(key),
            "file": .string(file),
            "size": .integer(size),
            "received": .integer(received),
        ]
        if let path { fields.set("path", to: .string(path)) }
        if let owner { fields.set("owner", to: .string(owner)) }
        return fields
    }

    /// As it comes back after a kill: what the server is known to have need not be sent again.
    init?(stored: JSON) {
        guard let place = stored["place"]?.intValue, let key = stored["name"]?.stringValue,
            let file = stored["file"]?.stringValue, let size = stored["size"]?.intValue, size >= 0,
            let received = stored["received"]?.intValue, (0...size).contains(received)
        else { return nil }
        let (path, owner) = (stored["path"]?.stringValue, stored["owner"]?.stringValue)
        self.init(key: key, path: path, file: file, size: size, place: place, owner: owner)
        self.received = received
        asked = received
        shownPercent = percent
        isStored = true
    }
}
