package import SquallCore
package import WebSocketWire

/// An abridged log of the bytes that one case sent and received.
package struct WireLog: Sendable {
    package enum Direction: String, Hashable, Sendable {
        case sent, received, note
    }

    package struct Entry: Hashable, Sendable {
        /// The time since the start of the case.
        package var at: TimeSpan
        package var direction: Direction
        /// The frame's header; nil for notes and for bytes that are not frames.
        package var header: FrameHeader?
        /// The first bytes of the payload, unmasked.
        package var bytes: [UInt8]
        /// The total number of bytes, including those not stored in ``bytes``.
        package var length: Int
        package var text: String
    }

    package private(set) var entries: [Entry] = []
    /// The number of entries that were dropped to limit the log.
    package private(set) var omitted = 0
    package private(set) var bytesSent = 0
    package private(set) var bytesReceived = 0

    /// The maximum number of entries.
    private static let most = 160
    /// The maximum number of bytes stored per entry.
    private let width: Int

    init(width: Int = 160) {
        self.width = width
    }

    mutating func frame(_ frame: WebSocketFrame, _ direction: Direction, at: TimeSpan) {
        let bytes = Array(frame.payload.prefix(width))
        add(
            Entry(
                at: at,
                direction: direction,
                header: frame.header,
                bytes: bytes,
                length: frame.payload.count,
                text: ""
            )
        )
    }

    mutating func bytes(_ bytes: [UInt8], _ direction: Direction, at: TimeSpan, _ text: String = "") {
        let kept = Array(bytes.prefix(text == "HTTP" ? 1024 : width))
        add(Entry(at: at, direction: direction, header: nil, bytes: kept, length: bytes.count, text: text))
    }

    mutating func note(_ text: String, at: TimeSpan) {
        add(Entry(at: at, direction: .note, header: nil, bytes: [], length: 0, text: text))
    }

    mutating func count(sent: Int = 0, received: Int = 0) {
        bytesSent += sent
        bytesReceived += received
    }

    private mutating func add(_ entry: Entry) {
        // The beginning and the end of a log are the most useful, so entries in the middle are dropped.
        if entries.count >= Self.most {
            entries.remove(at: Self.most / 2)
            omitted += 1
        }
        entries.append(entry)
    }
}
