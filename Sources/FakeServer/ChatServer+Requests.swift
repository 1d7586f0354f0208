import ChatWire
import Faults
import MQTTWire
import SquallCore
import WebSocketWire

/// Reads a connection's HTTP request, which may be a WebSocket upgrade.
extension ChatServer {
    fileprivate enum Reading {
        case incomplete
        /// The client sends the body only after a `100 Continue` response (RFC 9110, section 10.1.1).
        case expectsLeave
        case complete(HTTPRequestHead, body: [UInt8])
        case failed(HTTPError)
    }

    mutating func readRequest(_ bytes: [UInt8], on id: LinkID) {
        let reading = links.change(id) { link in
            link.request.parser.append(bytes)
            return link.request.read()
        }
        switch reading {
        case .incomplete?, nil: break
        case .expectsLeave?:
            outputs.append(.write(id, HTTPResponseHead(status: 100, reason: "Continue").encode()))
            // The body may already have arrived: a client need not wait for the 100 response.
            readRequest([], on: id)
        case .complete(let head, let body)?: answer(head, body, on: id)
        case .failed(let error)?:
            // The error's text may quote the request, which may contain a key, so only the status is recorded.
            note("server.protocol_error", ["reason": .string("request refused: \(error.status)")], of: id.client)
            respond(Answer(error.status).response(to: nil, wire), on: id)
        }
    }

    private mutating func answer(_ head: HTTPRequestHead, _ body: [UInt8], on id: LinkID) {
        guard takesRequest(on: id) else { return }
        if let sync = wire.syncRequest(head) { return answer(sync, on: id) }
        searchForKeys(in: head, body, on: id)
        if answerByRule(head, body, on: id) { return }
        if let request = wire.pollingRequest(head) { return answer(request, head, body, on: id) }
        if wire.isWebSocket(head) { return beginUpgrade(head.path, id) }
        if let request = wire.frames?.request(method: head.method, target: head.path) {
            return answer(request, head, body, on: id)
        }
        guard let route = ChatRoute.parse(method: head.method, target: head.path, wire) else {
            note("server.protocol_error", ["reason": "no such route"], of: id.client)
            return respond(Answer(.notFound, "No such route.").response(to: nil, wire), on: id)
        }
        let served = ServerRoute.http(route.kind)
        note("server.requested.\(served.word)", route.note, of: id.client)
        if let failure = requestRules.failure(of: served) {
            noteHit(failure.aim, of: id.client)
            return respond(Answer(failure).response(to: served, wire), on: id)
        }
        let key = head.headers["authorization"].flatMap(ChatRoute.key(inAuthorization:))
        guard isOpen(route.kind) || isRight(key: key) else {
            return respond(Answer(.unauthorized, profile.auth.message).response(to: served, wire), on: id)
        }
        let answer = answer(route, body, for: principal(of: id.client, key: key))
        respond(answer.response(to: served, wire), on: id)
    }

    /// Answers a request that the profile's own protocol defines in addition to the chat routes.
    private mutating func answer(_ request: WireRequest, _ head: HTTPRequestHead, _ body: [UInt8], on id: LinkID) {
        let key = head.headers["authorization"].flatMap(request.key(inAuthorization:))
        let isAllowed = request.scheme == nil || isRight(key: key)
        guard request.sends else {
            note("server.received.extra", ["extra": .string(request.name)], of: id.client)
            let answer = Answer(json: request.answer(host: head.headers["host"] ?? "", key: key ?? ""))
            let refusal = Answer(.unauthorized, profile.auth.message)
            return respond((isAllowed ? answer : refusal).response(to: nil, wire), on: id)
        }
        let message = Result { () throws(Malformed) in try request.message(in: body, target: head.path) }
        let conversation = (try? message.get()).map { JSON.string($0.conversation) }
        note("server.requested.send", .fields([("conversation", conversation)]), of: id.client)
        let answer: Answer
        var stored: String?
        if let failure = requestRules.failure(of: .http(.send)) {
            noteHit(failure.aim, of: id.client)
            answer = Answer(failure)
        } else if !isAllowed {
            answer = Answer(.unauthorized, profile.auth.message)
        } else {
            switch message {
            case .success(let message):
                answer = send(message, from: principal(of: id.client, key: key)) { confirmation, status in
                    if status == .created { stored = confirmation.messageID }
                    return Answer(json: request.answer(to: message, confirmation))
                }
            case .failure(let error): answer = Answer(.badRequest, error.reason)
            }
        }
        respond(answer.response(to: .http(.send), wire), on: id)
        if let stored, wire.frames?.polling == .matrixSync { echo(stored, to: id.client) }
    }

    private func isOpen(_ route: RouteKind) -> Bool {
        switch route {
        case .upload: policy.upload == .anyone
        case .health, .agents, .conversations, .messages, .send, .markRead, .unread, .pushToken, .conversation, .delete,
            .media,
            .thumbnail:
            !route.needsKey
        }
    }

    mutating func beginUpgrade(_ target: String, _ id: LinkID) {
        note("server.requested.ws", ["target": .string(target)], of: id.client)
        if let failure = requestRules.failure(of: .webSocket) {
            noteHit(failure.aim, of: id.client)
            return respond(Answer(failure).response(to: .webSocket, wire), on: id)
        }
        links.change(id) { $0.phase = .upgrading }
        send(HeldReply(link: id, content: .upgrade), for: .webSocket)
    }

    /// Completes the WebSocket handshake with a 101 response, and sends `hello`.
    mutating func completeUpgrade(_ id: LinkID) {
        guard links.read(id, \.phase) == .upgrading else { return }
        let limits = readLimits()
        let smallest = profile.compressAbove
        let refusal = links.change(id) { [wire] link -> HandshakeError? in
            guard let head = link.request.head else { return nil }
            do throws(HandshakeError) {
                var socket = try WebSocketConnection.server(
                    accepting: head,
                    remainder: link.request.parser.takeRemainder(),
                    subprotocol: wire.frames?.subprotocol(offeredIn: head.headers),
                    deflate: smallest > 0 ? DeflateAgreement.Preference() : nil,
                    limits: limits
                )
                socket.compressedFrom = Int(clamping: smallest) + 1
                // The fake server answers a close frame only after it has handled the messages that precede it.
                socket.answersClose = false
                link.socket = socket
                link.dialogue.host = head.headers["host"] ?? ""
                wire.agree(onCompressionFor: head.path, in: &link.dialogue)
                if wire.isBinary { link.dialogue.session = MQTTSession() }
                link.phase = .socket
                return nil
            } catch {
                link.phase = .answering
                return error
            }
        }
        if let refusal = refusal ?? nil {
            note("server.protocol_error", ["reason": .string(refusal.description)], of: id.client)
            return write(OutgoingResponse(refusal), on: id)
        }
        flush(id)
        note("server.answered.ws", ["status": 101], of: id.client)
        noteHost(of: id)
        // A session that began by polling has already received `hello`, which must not be sent twice.
        if links.read(id, { $0.takesOver == nil }) == true {
            sendHello(to: id)
            logInByAddress(id)
            answerOpening(on: id)
        }
        readMessages([], on: id)
    }

    mutating func sendHello(to id: LinkID) {
        let interval = wire.has(.ping, by: .client) ? profile.heartbeat.asked : profile.heartbeat.interval
        let requested = interval > .zero ? interval : nil
        send(.hello(version: wire.version, authVersion: wire.authVersion, heartbeatInterval: requested), to: id)
    }
}

extension IncomingRequest {
    fileprivate mutating func read() -> ChatServer.Reading {
        do throws(HTTPError) {
            while let event = try parser.next() {
                switch event {
                case .head(let head):
                    self.head = head
                    if head.headers.elements(of: "expect").contains(where: { $0.lowercased() == "100-continue" }) {
                        return .expectsLeave
                    }
                case .body(let piece): body += piece
                case .end:
                    guard let head else { return .incomplete }
                    return .complete(head, body: body)
                }
            }
            return .incomplete
        } catch {
            return .failed(error)
        }
    }
}

extension OutgoingResponse {
    fileprivate init(_ refusal: HandshakeError) {
        var head = refusal.response
        head.headers.append("Connection", "close")
        self.init(route: .webSocket, status: head.status, head: head.encode())
    }
}

extension ChatRoute {
    /// The fields of the request's trace event, other than the route.
    fileprivate var note: JSON {
        switch self {
        case .messages(let conversation, _, _, _), .send(let conversation), .markRead(let conversation, _, nil),
            .conversation(let conversation):
            ["conversation": .string(conversation)]
        case .markRead(let conversation, _, let user?):
            ["conversation": .string(conversation), "user": .string(user)]
        case .upload(let name, _), .media(let name), .thumbnail(let name):
            MediaName(name).map { ["conversation": .string($0.conversation), "name": .string(name)] } ?? .object([])
        case .health, .agents, .conversations, .unread, .pushToken, .delete: .object([])
        }
    }
}

extension FrameMap {
    /// Returns the profile's subprotocol if the client offers it. Otherwise the response contains no subprotocol, and a
    /// client that needs one closes the connection (RFC 6455 section 4.2.2).
    fileprivate func subprotocol(offeredIn headers: HTTPHeaders) -> String? {
        guard let subprotocol, headers.elements(of: "sec-websocket-protocol").contains(subprotocol) else { return nil }
        return subprotocol
    }
}
