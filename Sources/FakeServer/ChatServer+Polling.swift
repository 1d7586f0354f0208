import ChatWire
import Faults
import SquallCore
import WebSocketWire

/// The session of a client that polls over HTTP. A session has a link ID, like a connection, but is not a connection.
struct PollingSession: Hashable, Sendable {
    let kind: HTTPPolling
    /// The session's `sid`.
    let name: String
    /// The packets to be sent in the response to the next poll.
    var packets: [[UInt8]] = []
    /// The connection whose poll request is waiting for packets; nil if there is none.
    var poll: LinkID?
    /// The position in Matrix's event stream up to which events have been sent.
    var position: Int64 = 0

    mutating func add(_ packet: [UInt8]) {
        switch kind {
        case .engineIO: packets.append(EngineIO.polled(packet, session: name))
        case .matrixSync: packets.append(packet)
        }
    }
}

/// Serves Engine.IO sessions, which are polled over HTTP until they are upgraded to a WebSocket.
extension ChatServer {
    /// The first link ID for sessions; it is greater than the IDs of all connections.
    private static let firstSession = 1 << 32
    /// How long a client may take to answer a ping (Engine.IO's `pingTimeout`).
    private static let pingTimeout = TimeSpan.seconds(20)

    mutating func answer(_ request: EngineIO.Request, _ head: HTTPRequestHead, _ body: [UInt8], on id: LinkID) {
        switch request {
        case .open: openSession(head.path, on: id)
        case .poll(let name):
            guard let session = session(name, of: id.client) else { return refuseUnknown(id) }
            poll(session, on: id)
        case .post(let name):
            guard let session = session(name, of: id.client) else { return refuseUnknown(id) }
            links.change(session) { [now] in $0.lastHeard = now }
            links.change(id) { $0.phase = .answering }
            for packet in EngineIO.packets(in: body) {
                receive(packet, on: session)
                if packet == EngineIO.close { endSession(session, .fin) }
            }
            write(OutgoingResponse(text: Array("ok".utf8)), on: id)
        case .upgrade(let name):
            guard let session = session(name, of: id.client) else { return refuseUnknown(id) }
            links.change(id) { $0.takesOver = session }
            beginUpgrade(head.path, id)
        case .wrong: refuse(id, 2, "Bad handshake method")
        }
    }

    /// Returns the session with this `sid`; nil if there is none, or if it was forgotten.
    private func session(_ name: String, of client: ClientID) -> LinkID? {
        links.ids(of: client).first { id in
            links.read(id, { $0.polling?.name == name && $0.phase == .socket }) == true
        }
    }

    private mutating func refuseUnknown(_ id: LinkID) { refuse(id, 1, "Session ID unknown") }

    private mutating func refuse(_ id: LinkID, _ code: Int, _ message: String) {
        note("server.protocol_error", ["reason": .string(message)], of: id.client)
        links.change(id) { $0.phase = .answering }
        write(OutgoingResponse(status: 400, text: EngineIO.refusal(code, message), type: "application/json"), on: id)
    }

    private mutating func openSession(_ target: String, on id: LinkID) {
        note("server.requested.ws", ["target": .string(target)], of: id.client)
        if let failure = requestRules.failure(of: .webSocket) {
            noteHit(failure.aim, of: id.client)
            return respond(Answer(failure).response(to: .webSocket, wire), on: id)
        }
        let session = addSession(of: id.client, .engineIO)
        poll(session, on: id)
        tasks.add(.expire(session), at: now + silenceLimit)
        sendHello(to: session)
    }

    /// Adds a session under a new link ID.
    mutating func addSession(of client: ClientID, _ kind: HTTPPolling) -> LinkID {
        sessionsOpened += 1
        let session = LinkID(client, Self.firstSession + sessionsOpened)
        var link = ServerLink(id: session, request: IncomingRequest(bodyLimit: 0), lastHeard: now)
        link.phase = .socket
        link.polling = PollingSession(kind: kind, name: "polling-\(sessionsOpened)")
        links.add(link)
        return session
    }

    private var silenceLimit: TimeSpan { heartbeatInterval + Self.pingTimeout }

    /// Ends a session if the client has sent no request within the ping timeout; otherwise reschedules the check.
    mutating func expire(_ session: LinkID) {
        guard let polling = links.read(session, \.polling) ?? nil, let heard = links.read(session, \.lastHeard) else {
            return
        }
        let due =
            switch polling.kind {
            case .engineIO: heard + silenceLimit
            // A client with a pending request counts as active, so its session does not expire.
            case .matrixSync: (polling.poll == nil ? heard : now) + Self.syncAbsence
            }
        if due <= now { endSession(session, .fin) } else { tasks.add(.expire(session), at: due) }
    }

    // MARK: - Packets from the server

    private mutating func poll(_ session: LinkID, on id: LinkID) {
        wait(for: session, on: id)
        answerPoll(of: session)
    }

    /// Answers the waiting poll request if there are packets for it.
    mutating func answerPoll(of session: LinkID) {
        if links.read(session, { $0.polling?.kind == .matrixSync }) == true { return answerSync(of: session) }
        let found = links.change(session) { link -> (LinkID, [[UInt8]])? in
            guard let polling = link.polling, let poll = polling.poll, !polling.packets.isEmpty else { return nil }
            link.polling?.poll = nil
            link.polling?.packets = []
            return (poll, polling.packets)
        }
        guard let (poll, packets) = found ?? nil else { return }
        write(OutgoingResponse(text: EngineIO.body(of: packets)), on: poll)
    }

    /// Returns the session whose pending poll request arrived on this connection; nil if there is none.
    func session(polledOn id: LinkID) -> LinkID? {
        links.ids(of: id.client).first { links.read($0, \.polling?.poll) == id }
    }

    // MARK: - Closing

    /// Ends the session. In Engine.IO, a pending poll request is answered with a close packet.
    mutating func closeSession(_ id: LinkID, _ reason: CloseReason) {
        links.change(id) { link in
            link.closeCode = CloseCode(reason.code)
            if link.polling?.kind == .engineIO { link.polling?.add(Array(EngineIO.close.utf8)) }
        }
        answerPoll(of: id)
        endSession(id, .fin)
    }

    /// Ends a session. Does nothing if the server has forgotten the session; its pending poll request is then never
    /// answered.
    mutating func endSession(_ id: LinkID, _ how: LinkEnd) {
        guard let polling = links.read(id, \.polling) ?? nil, links.read(id, \.phase) == .socket else { return }
        noteClosed(id)
        leave(id)
        links.remove(id)
        if let poll = polling.poll { end(poll, how) }
    }

    // MARK: - Upgrade

    /// Handles a message on a WebSocket to which a polling session is being upgraded.
    mutating func takeOver(_ session: LinkID, _ text: String, on id: LinkID) {
        guard links.read(session, { $0.polling != nil }) == true else { return closeAndEnd(id, .goingAway) }
        switch text {
        case EngineIO.probe:
            links.change(id) { $0.send(.text(Array(EngineIO.probeAnswer.utf8))) }
            flush(id)
            // Answer the pending poll request, so that the client can stop polling.
            if links.read(session, { $0.polling?.poll != nil }) == true {
                links.change(session) { $0.polling?.add(Array(EngineIO.noop.utf8)) }
                answerPoll(of: session)
            }
        case EngineIO.upgrade: goOver(session, to: id)
        default:
            note("server.protocol_error", ["reason": "a packet before the upgrade"], of: id.client)
            closeAndEnd(id, CloseReason(code: ChatCloseCode.policy.rawValue, text: "not upgraded"))
        }
    }

    private mutating func goOver(_ session: LinkID, to id: LinkID) {
        guard let old = links.read(session, { $0 }), let polling = old.polling else { return }
        links.change(id) { link in
            let host = link.dialogue.host
            link.takesOver = nil
            (link.session, link.account, link.messageLimit) = (old.session, old.account, old.messageLimit)
            (link.isRefused, link.heartbeats, link.dialogue) = (old.isRefused, old.heartbeats, old.dialogue)
            link.dialogue.host = host
            for packet in polling.packets { link.send(.text(packet)) }
        }
        if old.session != nil {
            _ = presence.arrived(id, for: principal(on: id).user, at: clock())
            _ = presence.left(session, at: clock(), policy: policy.presence.leaving)
            watch(id)
        }
        links.remove(session)
        if let poll = polling.poll { write(OutgoingResponse(text: Array(EngineIO.noop.utf8)), on: poll) }
        flush(id)
    }
}

extension OutgoingResponse {
    /// Creates a response to a poll request. Poll requests belong to none of the chat routes.
    init(status: Int = 200, text: [UInt8], type: String = "text/plain; charset=UTF-8") {
        let headers: HTTPHeaders = [
            "Content-Type": type, "Content-Length": String(text.count), "Connection": "close",
        ]
        let phrase = ChatStatus(rawValue: status)?.phrase ?? ""
        let head = HTTPResponseHead(status: status, reason: phrase, headers: headers)
        self.init(route: nil, status: status, head: head.encode(), body: text)
    }
}
