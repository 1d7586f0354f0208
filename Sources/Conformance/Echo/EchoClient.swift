package import SquallCore
import WebSocketWire

/// A client that echoes every message and strictly follows RFC 6455 and RFC 7692, without I/O.
package struct EchoClient: Sendable {
    private var connection: WebSocketConnection
    private var hasEnded = false

    /// Creates a client whose output already contains the handshake request.
    package init(host: String, path: String, seed: Seed) {
        var keys = seed.stream("key")
        connection = WebSocketConnection.client(
            host: host,
            path: path,
            key: (0..<16).map { _ in UInt8(truncatingIfNeeded: keys.next()) },
            masks: seed.stream("masks"),
            deflate: [DeflateOffer()],
            limits: WebSocketConnection.Limits(message: 64 * 1_048_576)
        )
        connection.stopsAtMessages = true
    }

    /// Handles bytes from the peer and appends the replies to the output.
    ///
    /// If `echoes` is false, received texts are returned instead of being echoed.
    @discardableResult
    package mutating func receive(_ bytes: [UInt8], echoes: Bool = true) -> [String] {
        var (bytes, texts) = (bytes, [String]())
        while true {
            let events = connection.receive(bytes)
            for event in events {
                switch event {
                case .received(.text(let text)) where echoes: connection.sendText(text)
                case .received(.binary(let message)) where echoes: connection.sendBinary(message)
                case .received(.text(let text)): texts.append(text)
                case .failed: hasEnded = true
                case .received, .opened: break
                }
            }
            guard !events.isEmpty else { return texts }
            bytes = []
        }
    }

    package mutating func receiveEnd() {
        _ = connection.receiveEnd()
        hasEnded = true
    }

    /// Removes and returns the bytes to write now.
    package mutating func takeOutput() -> [UInt8] { connection.takeOutput() }

    /// Whether the TCP connection should be closed once the output is written.
    package var shouldEnd: Bool { hasEnded || connection.shouldEndStream }
}
