package import SquallCore
import WebSocketWire

/// A plain client that sends every message back, strictly after RFC 6455 and RFC 7692, without I/O.
package struct EchoClient: Sendable {
    private var connection: WebSocketConnection
    private var hasEnded = false

    /// The request is in the output.
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

    /// Takes what the peer wrote; what it must be answered is in the output.
    ///
    /// Returns the texts that came, for who asks questions and wants no echo.
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

    /// The bytes to write now, each given once.
    package mutating func takeOutput() -> [UInt8] { connection.takeOutput() }

    /// Whether the TCP connection should be ended once the output is written.
    package var shouldEnd: Bool { hasEnded || connection.shouldEndStream }
}
