import SquallCore
package import WebSocketWire

/// Engine.IO's HTTP long polling (protocol 4). A packet has the same content as the corresponding WebSocket frame.
package enum EngineIO {
    /// A request in a polling session; `session` is the session's `sid`.
    package enum Request: Hashable, Sendable {
        /// Opens a session. The response contains the packet `0`, the server's `hello`.
        case open
        /// Waits for packets from the server.
        case poll(session: String)
        /// Sends packets to the server in the request body.
        case post(session: String)
        /// Upgrades the session to a WebSocket.
        case upgrade(session: String)
        case wrong
    }

    /// The character that separates the packets in a body.
    private static let separator: UInt8 = 0x1E

    package static let close = "1"
    package static let probe = "2probe"
    package static let probeAnswer = "3probe"
    package static let upgrade = "5"
    package static let noop = "6"

    /// Returns the response body that contains these packets.
    package static func body(of packets: [[UInt8]]) -> [UInt8] {
        Array(packets.joined(separator: [separator]))
    }

    /// Returns the packets in a request body.
    package static func packets(in body: [UInt8]) -> [String] {
        body.split(separator: separator).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a packet as sent over polling: `hello` also contains the session's `sid` and offers the upgrade to a
    /// WebSocket.
    package static func polled(_ packet: [UInt8], session: String) -> [UInt8] {
        guard packet.first == UInt8(ascii: "0"), var hello = try? JSON.decode(packet.dropFirst()) else { return packet }
        hello.set("sid", to: .string(session))
        hello.set("upgrades", to: ["websocket"])
        return [UInt8(ascii: "0")] + hello.encode()
    }

    /// Returns the JSON body of an error response.
    package static func refusal(_ code: Int, _ message: String) -> [UInt8] {
        JSON.object([JSONMember("code", .integer(Int64(code))), JSONMember("message", .string(message))]).encode()
    }
}

extension WireProfile {
    /// Returns the Engine.IO polling operation that a request performs; nil for other requests or if the protocol does
    /// not use Engine.IO polling.
    package func pollingRequest(_ head: HTTPRequestHead) -> EngineIO.Request? {
        guard frames?.polling == .engineIO, isWebSocket(target: head.path) else { return nil }
        let session = PathTemplate.parameter("sid", of: head.path)
        switch (PathTemplate.parameter("transport", of: head.path), head.method, session) {
        case ("polling", "GET", nil): return .open
        case ("polling", "GET", let session?): return .poll(session: session)
        case ("polling", "POST", let session?): return .post(session: session)
        case ("polling", _, _): return .wrong
        case ("websocket", _, let session?): return .upgrade(session: session)
        default: return nil
        }
    }
}
