import ChatWire
import Faults
import SquallCore
import WebSocketWire

/// Serves clients that receive events with Matrix's `/sync` request.
///
/// A client's session begins with its first request. The session ends when a response is lost, when a pending request
/// ends without a response, or when no request has arrived for some time.
extension ChatServer {
    /// How long a session stays open without a request.
    static let syncAbsence = TimeSpan.seconds(30)

    mutating func answer(_ sync: MatrixSync.Request, on id: LinkID) {
        var open = syncSession(of: id.client)
        if let session = open, links.read(session, \.polling?.position) != sync.since ?? 0 {
            // The request shows that the client has not received the session's last response, so the session cannot
            // continue.
            endSession(session, .fin)
            open = nil
        }
        if open == nil { note("server.requested.ws", ["target": .string(wire.webSocketPath)], of: id.client) }
        if let failure = requestRules.failure(of: .webSocket) {
            noteHit(failure.aim, of: id.client)
            return respond(Answer(failure).response(to: .webSocket, wire), on: id)
        }
        guard isRight(key: sync.key) else {
            return respond(Answer(.unauthorized, profile.auth.message).response(to: .webSocket, wire), on: id)
        }
        let session = open ?? openSyncSession(of: id.client, after: sync.since ?? 0)
        wait(for: session, on: id)
        if open == nil {
            receive(.connect(.init(key: sync.key ?? "", session: sessions[id.client]?.id)), on: session)
            receive(.sync(lastSequence: sync.since ?? 0), on: session)
        }
        answerSync(of: session)
        tasks.add(.answerSync(session, on: id), at: now + sync.timeout)
    }

    /// Returns the client's open session; nil if there is none.
    private func syncSession(of client: ClientID) -> LinkID? {
        links.ids(of: client).first { id in
            links.read(id, { $0.polling?.kind == .matrixSync && $0.phase == .socket }) == true
        }
    }

    private mutating func openSyncSession(of client: ClientID, after position: Int64) -> LinkID {
        let session = addSession(of: client, .matrixSync)
        links.change(session) { $0.polling?.position = position }
        tasks.add(.expire(session), at: now + Self.syncAbsence)
        return session
    }

    /// Makes the request on connection `id` the session's pending request, to be answered with the next events. Closes
    /// the connection of any earlier pending request.
    mutating func wait(for session: LinkID, on id: LinkID) {
        links.change(id) { $0.phase = .answering }
        let earlier = links.change(session) { [now] link -> LinkID? in
            link.lastHeard = now
            defer { link.polling?.poll = id }
            return link.polling?.poll
        }
        if let earlier = earlier ?? nil { end(earlier, .fin) }
    }

    /// Handles a frame that the client's request implies, such as `connect`, as if the client had sent it.
    private mutating func receive(_ frame: ClientFrame, on session: LinkID) {
        var dialogue = WireDialogue()
        guard let bytes = frame.encode(wire, in: &dialogue) else { return }
        receive(String(decoding: bytes, as: UTF8.self), on: session)
    }

    /// Answers the session's pending request if there are events for it.
    ///
    /// `request` identifies the connection whose request has timed out and must be answered even if there are no
    /// events.
    mutating func answerSync(of session: LinkID, on request: LinkID? = nil) {
        let found = links.change(session) { [now] link -> (LinkID, [UInt8])? in
            guard let polling = link.polling, let poll = polling.poll, request == nil || poll == request else {
                return nil
            }
            let batch = MatrixSync.Batch(of: polling.packets, after: polling.position)
            guard request != nil || !batch.isEmpty else { return nil }
            link.polling?.poll = nil
            link.polling?.packets = []
            link.polling?.position = batch.position
            link.lastHeard = now
            return (poll, batch.body)
        }
        guard let (poll, body) = found ?? nil else { return }
        write(OutgoingResponse(text: body, type: "application/json"), on: poll)
    }

    /// Sends a client's own message back to the client as an event, as Matrix does.
    mutating func echo(_ messageID: String, to client: ClientID) {
        guard let session = syncSession(of: client), let message = store[messageID] else { return }
        links.change(session) { [wire] link in
            if let bytes = ServerFrame.message(message).encode(wire, in: &link.dialogue) { link.send(.text(bytes)) }
        }
        answerSync(of: session)
    }
}
