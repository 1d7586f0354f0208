import ChatWire
import SquallCore
import WebSocketWire

/// Decodes both directions of one connection without changing the traffic.
///
/// After a protocol violation in one direction, the remaining data of that direction is ignored, as a conforming peer
/// would ignore it.
struct WireTap: Sendable {
    enum Event: Hashable, Sendable {
        /// The client has requested the upgrade to a WebSocket.
        case upgradeRequested
        case upgradeAnswered(status: Int)
        case requested(ChatRoute, target: String)
        case answered(ChatRoute, status: Int)
        case sent(ClientFrame)
        case received(ServerFrame)
        /// The client has sent a close frame, or a message that the profile does not define. Emitted only if messages
        /// that the profile does not define are recorded.
        case sentOther(MessageStream.Message)
        case receivedOther(MessageStream.Message)
        /// A request or a response is complete. Emitted only if requests and responses are recorded, and never for an
        /// upgrade.
        case requestEnded(HTTPRecord)
        case responseEnded(HTTPRecord)
        /// The server has confirmed a message that was sent over HTTP.
        case confirmed(ServerFrame.Confirmation)
    }

    private enum Phase {
        case requests
        case upgrade
        case frames
    }

    /// A request whose response is not complete yet.
    private struct PendingRequest {
        var route: ChatRoute?
        var method: String
        var isUpgrade: Bool
    }

    private let wire: WireProfile
    /// Whether all traffic is observed: messages that the profile does not define are recorded, and an upgrade on any
    /// path counts as a WebSocket.
    private let observesAll: Bool
    private var phase = Phase.requests
    private var requests = Self.nextRequest
    private var responses = HTTPResponseParser()
    /// The requests that await a complete response, in order. Responses arrive in the same order (RFC 9112 section
    /// 9.3.2).
    private var pendingRequests: [PendingRequest] = []
    /// The received bytes of the response body that confirms a message sent over HTTP.
    private var body: [UInt8] = []
    private var dialogue = WireDialogue()
    /// The request and the response that are being received, if they are recorded.
    private var request: HTTPRecord?
    private var response: HTTPRecord?
    /// Whether requests and responses are recorded.
    private let recordsExchanges: Bool
    private var up = MessageStream(role: .server)
    private var down = MessageStream(role: .client)

    /// Request and response bodies are not stored, so their size is not limited.
    private static let limits = HTTPLimits(body: .max)
    private static var nextRequest: HTTPRequestParser { HTTPRequestParser(limits: limits) }

    init(_ wire: WireProfile, notingAll observesAll: Bool = false) {
        self.wire = wire
        self.observesAll = observesAll || wire.isUnknown
        recordsExchanges = observesAll
        // A recorded session contains messages but no pongs.
        down.includesPongs = !self.observesAll
    }

    /// Whether the client has requested an upgrade on this connection.
    private(set) var isSocket = false

    // MARK: - Bytes from the client

    mutating func upstream(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        switch phase {
        case .requests:
            requests.append(bytes)
            readRequests(into: &events)
        case .upgrade, .frames: events += sent(up.read(bytes))
        }
        return events
    }

    private mutating func readRequests(into events: inout [Event]) {
        // `try?` is sufficient, because after an error the parser throws for all further bytes and does not buffer
        // them.
        while case .requests = phase, let piece = try? requests.next() {
            switch piece {
            case .head(let head): ask(head, into: &events)
            case .body(let bytes): request?.append(bytes)
            case .end:
                if let request { events.append(.requestEnded(request)) }
                request = nil
                let rest = requests.takeRemainder()
                if pendingRequests.last?.isUpgrade == true {
                    phase = .upgrade
                    // A client can send frames before the server has accepted the upgrade.
                    events += sent(up.read(rest))
                } else {
                    requests = Self.nextRequest
                    requests.append(rest)
                }
            }
        }
    }

    private mutating func ask(_ head: HTTPRequestHead, into events: inout [Event]) {
        let isUpgrade = wire.isWebSocket(head) || observesAll && head.asksForWebSocket
        let route = isUpgrade ? nil : ChatRoute.parse(method: head.method, target: head.path, wire)
        if pendingRequests.isEmpty { responses = HTTPResponseParser(limits: Self.limits, answering: head.method) }
        pendingRequests.append(PendingRequest(route: route, method: head.method, isUpgrade: isUpgrade))
        if isUpgrade {
            isSocket = true
            dialogue = WireDialogue()
            wire.agree(onCompressionFor: head.path, in: &dialogue)
            events.append(.upgradeRequested)
            return
        }
        if recordsExchanges { request = HTTPRecord(head, isOfProfile: route != nil) }
        if let route { events.append(.requested(route, target: head.target)) }
    }

    private mutating func sent(_ messages: [MessageStream.Message]) -> [Event] {
        messages.flatMap { message -> [Event] in
            guard let frames = frames(of: message, from: .client) else {
                return observesAll ? [.sentOther(message)] : []
            }
            return frames.compactMap { text in
                if case .frame(let frame) = ClientFrame.decode(text, wire, in: &dialogue) { return .sent(frame) }
                return observesAll && dialogue.extra == nil ? .sentOther(.text(text)) : nil
            }
        }
    }

    /// Returns the chat frames in a WebSocket message; nil if the protocol does not use this kind of message.
    private mutating func frames(of message: MessageStream.Message, from origin: FrameOrigin) -> [String]? {
        switch message {
        case .text(let text) where !wire.isBinary: wire.frames(in: text)
        case .binary(let bytes) where wire.isBinary || dialogue.isCompressed && origin == .server:
            wire.frames(inBinary: bytes, from: origin, in: &dialogue).frames
        case .text, .binary, .close, .pong: nil
        }
    }

    // MARK: - Bytes from the server

    mutating func downstream(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        if case .frames = phase {
            events += received(down.read(bytes))
        } else if !pendingRequests.isEmpty {
            responses.append(bytes)
            readResponses(into: &events)
        }
        return events
    }

    /// Handles the end of the server's data, which also completes a recorded response without a length (RFC 9112
    /// section 6.3).
    mutating func downstreamEnded() -> [Event] {
        guard recordsExchanges, response != nil else { return [] }
        var events: [Event] = []
        responses.finish()
        readResponses(into: &events)
        return events
    }

    private mutating func readResponses(into events: inout [Event]) {
        while let request = pendingRequests.first, let piece = try? responses.next() {
            if case .send? = request.route { readConfirmation(piece, into: &events) }
            switch piece {
            case .head(let head) where !head.isInterim:
                if let route = request.route { events.append(.answered(route, status: head.status)) }
                guard request.isUpgrade else {
                    if recordsExchanges { response = HTTPRecord(head) }
                    continue
                }
                events.append(.upgradeAnswered(status: head.status))
                guard head.status == 101 else {
                    // After a rejected upgrade, the client can send another request on the same connection.
                    phase = .requests
                    requests = Self.nextRequest
                    up = MessageStream(role: .server)
                    continue
                }
                phase = .frames
                negotiate(head.headers)
                events += received(down.read(responses.takeRemainder()))
                return
            case .head: break
            case .body(let bytes): response?.append(bytes)
            case .end:
                if let response { events.append(.responseEnded(response)) }
                response = nil
                pendingRequests.removeFirst()
                let rest = responses.takeRemainder()
                guard let next = pendingRequests.first else { return }
                responses = HTTPResponseParser(limits: Self.limits, answering: next.method)
                responses.append(rest)
            }
        }
    }

    /// Applies the WebSocket extensions that the server has accepted.
    private mutating func negotiate(_ headers: HTTPHeaders) {
        let extensions = headers.elements(of: "sec-websocket-extensions").map { $0.lowercased() }
        guard let deflate = extensions.first(where: { $0.hasPrefix("permessage-deflate") }) else { return }
        up.decompress(keepingContext: !deflate.contains("client_no_context_takeover"))
        down.decompress(keepingContext: !deflate.contains("server_no_context_takeover"))
    }

    /// The maximum size of a response body that is decoded as a confirmation, in bytes.
    private static let longestBody = 64 << 10

    private mutating func readConfirmation(_ piece: HTTPEvent<HTTPResponseHead>, into events: inout [Event]) {
        switch piece {
        case .head: body = []
        case .body(let bytes): if body.count < Self.longestBody { body += bytes }
        case .end:
            guard let confirmation = try? ServerFrame.Confirmation.decode(body, wire) else { return }
            events.append(.confirmed(confirmation))
        }
    }

    private mutating func received(_ messages: [MessageStream.Message]) -> [Event] {
        messages.flatMap { message -> [Event] in
            guard let frames = frames(of: message, from: .server) else {
                return observesAll || message == .pong ? [.receivedOther(message)] : []
            }
            return frames.compactMap { text in
                if case .frame(let frame) = ServerFrame.decode(text, wire, in: &dialogue) { return .received(frame) }
                return observesAll && dialogue.extra == nil ? .receivedOther(.text(text)) : nil
            }
        }
    }
}
