package import SquallCore
package import WebSocketWire

/// What went over the wire in one case, as far as people want to read it.
package struct WireLog: Sendable {
    package enum Direction: String, Hashable, Sendable {
        case sent, received, note
    }

    package struct Entry: Hashable, Sendable {
        /// Since the case began.
        package var at: TimeSpan
        package var direction: Direction
        /// Nil for bytes that are no frame, and for notes.
        package var header: FrameHeader?
        /// The first of them, unmasked.
        package var bytes: [UInt8]
        /// How many there were.
        package var length: Int
        package var text: String
    }

    package private(set) var entries: [Entry] = []
    /// Entries that were left out for their number.
    package private(set) var omitted = 0
    package private(set) var bytesSent = 0
    package private(set) var bytesReceived = 0

    /// Entries kept.
    private static let most = 160
    /// Bytes kept of each.
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
        // The end tells most: what is left out lies in the middle.
        if entries.count >= Self.most {
            entries.remove(at: Self.most / 2)
            omitted += 1
        }
        entries.append(entry)
    }
}
