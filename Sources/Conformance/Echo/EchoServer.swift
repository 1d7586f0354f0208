package import WebSocketWire

/// A server that echoes every message and strictly follows RFC 6455 and RFC 7692, without I/O.
package struct EchoServer: Sendable {
    private var parser = HTTPRequestParser()
    /// The head of the handshake request, once it has been received.
    private var asked: HTTPRequestHead?
    private var connection: WebSocketConnection?
    private var output: [UInt8] = []
    private var hasRefused = false
    private let limits: WebSocketConnection.Limits

    /// Creates a server that closes the connection with code 1009 when a message exceeds the limit, 64 MiB by default.
    package init(limits: WebSocketConnection.Limits = WebSocketConnection.Limits(message: 64 * 1_048_576)) {
        self.limits = limits
    }

    /// Handles bytes from the peer and appends the replies to the output.
    package mutating func receive(_ bytes: [UInt8]) {
        guard !hasRefused else { return }
        if connection == nil { open(bytes) } else { serve(bytes) }
    }

    /// Handles the peer's FIN; the server then closes its side as well.
    package mutating func receiveEnd() {
        if connection == nil && !hasRefused {
            parser.finish()
            open([])
        }
        hasRefused = true
    }

    /// Removes and returns the bytes to write now.
    package mutating func takeOutput() -> [UInt8] {
        output += connection?.takeOutput() ?? []
        defer { output = [] }
        return output
    }

    /// Whether the TCP connection should be closed once the output is written.
    package var shouldEnd: Bool { hasRefused || connection?.shouldEndStream ?? false }

    private mutating func open(_ bytes: [UInt8]) {
        parser.append(bytes)
        do throws(HTTPError) {
            while let event = try parser.next() {
                switch event {
                case .head(let head): asked = head
                case .body: break
                case .end: if let asked { accept(asked) }
                }
            }
            if connection != nil { serve(parser.takeRemainder()) }
        } catch {
            let reason = HTTPResponseHead.usualReason(error.status)
            refuse(HTTPResponseHead(status: error.status, reason: reason, headers: ["Content-Length": "0"]))
        }
    }

    private mutating func accept(_ head: HTTPRequestHead) {
        do throws(HandshakeError) {
            connection = try WebSocketConnection.server(accepting: head, deflate: .init(), limits: limits)
            connection?.stopsAtMessages = true
        } catch {
            refuse(error.response)
        }
    }

    private mutating func refuse(_ response: HTTPResponseHead) {
        var response = response
        response.headers.append("Connection", "close")
        output += response.encode()
        hasRefused = true
    }

    private mutating func serve(_ bytes: [UInt8]) {
        var bytes = bytes
        while let events = connection?.receive(bytes), !events.isEmpty {
            for event in events {
                switch event {
                case .received(.text(let text)): connection?.sendText(text)
                case .received(.binary(let message)): connection?.sendBinary(message)
                case .received, .opened, .failed: break
                }
            }
            bytes = []
        }
    }
}
