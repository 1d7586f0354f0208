package import WebSocketWire

/// A plain endpoint that sends every message back, strictly after RFC 6455 and RFC 7692, without I/O.
package struct EchoServer: Sendable {
    private var parser = HTTPRequestParser()
    /// Of the request whose end is still to come.
    private var asked: HTTPRequestHead?
    private var connection: WebSocketConnection?
    private var output: [UInt8] = []
    private var hasRefused = false
    private let limits: WebSocketConnection.Limits

    /// Takes messages of 64 MiB; longer ones are refused with 1009.
    package init(limits: WebSocketConnection.Limits = WebSocketConnection.Limits(message: 64 * 1_048_576)) {
        self.limits = limits
    }

    /// Takes what the peer wrote; what it must be answered is in the output.
    package mutating func receive(_ bytes: [UInt8]) {
        guard !hasRefused else { return }
        if connection == nil { open(bytes) } else { serve(bytes) }
    }

    /// Takes the end of the peer's stream, behind which this end ends too.
    package mutating func receiveEnd() {
        if connection == nil && !hasRefused {
            parser.finish()
            open([])
        }
        hasRefused = true
    }

    /// The bytes to write now, each given once.
    package mutating func takeOutput() -> [UInt8] {
        output += connection?.takeOutput() ?? []
        defer { output = [] }
        return output
    }

    /// Whether the TCP connection should be ended once the output is written.
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
