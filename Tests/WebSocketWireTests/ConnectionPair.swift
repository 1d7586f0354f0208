import SquallCore
import Testing
import WebSocketWire

let sampleKey = Array("the sample nonce".utf8)

func makeClient(
    subprotocols: [String] = [],
    limits: WebSocketConnection.Limits = WebSocketConnection.Limits()
) -> WebSocketConnection {
    WebSocketConnection.client(
        host: "chat.test",
        path: "/ws",
        key: sampleKey,
        masks: Seed(7).stream("masks"),
        subprotocols: subprotocols,
        limits: limits
    )
}

/// Returns a client whose handshake is complete.
func makeOpenClient(limits: WebSocketConnection.Limits = WebSocketConnection.Limits()) -> WebSocketConnection {
    var client = makeClient(limits: limits)
    _ = client.takeOutput()
    _ = client.receive(goodResponse.encode())
    return client
}

/// Returns a server whose handshake is complete.
func makeOpenServer(
    limits: WebSocketConnection.Limits = WebSocketConnection.Limits()
) throws -> WebSocketConnection {
    let request = WebSocketHandshake.request(host: "chat.test", path: "/ws", key: sampleKey)
    var server = try WebSocketConnection.server(accepting: request, limits: limits)
    _ = server.takeOutput()
    return server
}

/// The server's valid response to ``makeClient(subprotocols:limits:)``.
let goodResponse = HTTPResponseHead(
    status: 101,
    reason: "Switching Protocols",
    headers: [
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Accept": WebSocketHandshake.acceptKey(for: Base64.encode(sampleKey)),
    ]
)

/// The two endpoints of a connection, each receiving the bytes that the other one writes.
struct ConnectionPair {
    var client: WebSocketConnection
    var server: WebSocketConnection
    var clientEvents: [WebSocketConnection.Event] = []
    var serverEvents: [WebSocketConnection.Event] = []
    /// Whether bytes are delivered one at a time.
    var isByteByByte = false

    /// Opens the connection. The server writes `greeting` directly after its handshake response.
    init(isByteByByte: Bool = false, greeting: String? = nil) throws {
        self.isByteByByte = isByteByByte
        client = makeClient(subprotocols: ["chat"])
        var parser = HTTPRequestParser()
        parser.append(client.takeOutput())
        guard case .head(let request)? = try parser.next(), try parser.next() == .end else {
            throw HTTPError.truncated
        }
        server = try WebSocketConnection.server(
            accepting: request,
            remainder: parser.takeRemainder(),
            subprotocol: "chat"
        )
        if let greeting { server.sendText(greeting) }
        settle()
    }

    /// Delivers bytes in both directions until neither endpoint has output.
    mutating func settle() {
        while true {
            let (up, down) = (client.takeOutput(), server.takeOutput())
            if up.isEmpty && down.isEmpty { return }
            for piece in cut(up) { serverEvents += server.receive(piece) }
            for piece in cut(down) { clientEvents += client.receive(piece) }
        }
    }

    private func cut(_ bytes: [UInt8]) -> [[UInt8]] {
        isByteByByte ? bytes.map { [$0] } : [bytes]
    }
}
