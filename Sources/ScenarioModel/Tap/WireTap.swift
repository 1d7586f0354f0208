import ChatWire
import Foundations
import WebSocketWire

/// One connection of a foreign client, read along in both directions; what passes is not touched.
///
/// It reads what an honest peer would: after the first byte that breaks the rules, nothing more of that direction.
struct WireTap: Sendable {
    enum Event: Hashable, Sendable {
        /// The client asks for the WebSocket.
        case upgradeAsked
        case upgradeAnswered(status: Int)
        case requested(ChatRoute, target: String)
        case answered(ChatRoute, status: Int)
        case sent(ClientFrame)
        case received(ServerFrame)
        /// A send over HTTP is stored.
        case confirmed(ServerFrame.Confirmation)
    }

    private enum Phase {
        case request
        case upgrade
        case exchange(ChatRoute?)
        case frames
        /// What comes cannot be read.
        case lost
    }

    private let wire: WireProfile
    private var phase = Phase.request
    private var requests = HTTPRequestParser()
    private var responses = HTTPResponseParser()
    /// What has come of the answer to a send.
    private var body: [UInt8] = []
    private var dialogue = WireDialogue()
    private var up = MessageStream(role: .server)
    private var down = MessageStream(role: .client)

    init(_ wire: WireProfile) {
        self.wire = wire
    }

    /// Whether the connection is, or was to be, a WebSocket.
    private(set) var isSocket = false

    // MARK: - From the client

    mutating func upstream(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        switch phase {
        case .request:
            requests.append(bytes)
            readRequest(into: &events)
        case .upgrade, .frames: events += sent(up.read(bytes))
        case .exchange, .lost: break
        }
        return events
    }

    private mutating func readRequest(into events: inout [Event]) {
        do throws(HTTPError) {
            while let piece = try requests.next() {
                guard case .head(let head) = piece else { continue }
                if wire.isWebSocket(target: head.target) {
                    isSocket = true
                    phase = .upgrade
                    events.append(.upgradeAsked)
                } else {
                    let route = ChatRoute.parse(method: head.method, target: head.target, wire)
                    phase = .exchange(route)
                    if let route { events.append(.requested(route, target: head.target)) }
                    return
                }
            }
        } catch {
            phase = .lost
        }
        // What a client in a hurry sends before it is let in.
        if case .upgrade = phase { events += sent(up.read(requests.takeRemainder())) }
    }

    private mutating func sent(_ texts: [String]) -> [Event] {
        texts.compactMap { text in
            if case .frame(let frame) = ClientFrame.decode(text, wire, in: &dialogue) { .sent(frame) } else { nil }
        }
    }

    // MARK: - From the server

    mutating func downstream(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        switch phase {
        case .upgrade, .exchange, .request:
            responses.append(bytes)
            readResponse(into: &events)
        case .frames: events += received(down.read(bytes))
        case .lost: break
        }
        return events
    }

    private mutating func readResponse(into events: inout [Event]) {
        do throws(HTTPError) {
            while let piece = try responses.next() {
                readBody(piece, into: &events)
                guard case .head(let head) = piece, head.status == 101 || head.status >= 200 else { continue }
                switch phase {
                case .upgrade:
                    events.append(.upgradeAnswered(status: head.status))
                    guard head.status == 101 else { continue }
                    phase = .frames
                    negotiate(head.headers)
                    events += received(down.read(responses.takeRemainder()))
                    return
                case .exchange(let route?): events.append(.answered(route, status: head.status))
                case .exchange(nil), .request, .frames, .lost: break
                }
            }
        } catch {
            phase = .lost
        }
    }

    /// What the server has agreed to beyond the protocol itself.
    private mutating func negotiate(_ headers: HTTPHeaders) {
        let extensions = headers.elements(of: "sec-websocket-extensions").map { $0.lowercased() }
        guard let deflate = extensions.first(where: { $0.hasPrefix("permessage-deflate") }) else { return }
        up.decompress(keepingContext: !deflate.contains("client_no_context_takeover"))
        down.decompress(keepingContext: !deflate.contains("server_no_context_takeover"))
    }

    /// A confirmation is no longer than this; what is, is none.
    private static let longestBody = 64 << 10

    private mutating func readBody(_ piece: HTTPEvent<HTTPResponseHead>, into events: inout [Event]) {
        guard case .exchange(.send?) = phase else { return }
        switch piece {
        case .head: body = []
        case .body(let bytes): if body.count < Self.longestBody { body += bytes }
        case .end:
            guard let confirmation = try? ServerFrame.Confirmation.decode(body, wire) else { return }
            events.append(.confirmed(confirmation))
        }
    }

    private mutating func received(_ texts: [String]) -> [Event] {
        texts.compactMap { text in
            if case .frame(let frame) = ServerFrame.decode(text, wire, in: &dialogue) { .received(frame) } else { nil }
        }
    }
}
