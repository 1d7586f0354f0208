import ChatWire
import Faults
import MQTTWire
import SquallCore
import WebSocketWire

/// Handles the frames that clients send on the WebSocket.
extension ChatServer {
    mutating func receive(_ text: String, on id: LinkID) {
        if let session = links.read(id, \.takesOver) ?? nil { return takeOver(session, text, on: id) }
        if answerByRule(text, on: id) { return }
        typealias Read = (Decoded<ClientFrame>, WireDialogue.Reference?, ReceivedExtra?, isAuthenticated: Bool)
        let read = links.change(id) { [wire] link -> Read? in
            guard link.acceptsFrames else { return nil }
            let decoded = ClientFrame.decode(text, wire, in: &link.dialogue)
            return (decoded, link.dialogue.lastReference, link.dialogue.extra, link.session != nil)
        }
        guard case let (decoded, heard, extra, isAuthenticated)?? = read else { return }
        searchForKeys(in: text, as: decoded, on: id)
        if let extra, isAuthenticated || extra.precedesLogin { return take(extra, on: id) }
        if isAuthenticated { acknowledgeNumbers(on: id) }
        answering = heard
        defer { answering = nil }
        switch decoded {
        case .frame(let frame):
            let seen = store.note(of: frame)
            note(FrameNames.receivedByServer[frame.role], key: seen.key, seen.fields, of: id.client)
            if let rule = requestRules.answer(to: frame.role, of: id.client) {
                noteHit(rule.aim, of: id.client)
                give(rule.answer, to: frame, saidAs: text, on: id)
            } else {
                handle(frame, on: id, isAuthenticated: isAuthenticated, for: claimedReader(in: text))
            }
        case .unknownType(let type):
            note("server.protocol_error", ["reason": .string("unknown type \(type)")], of: id.client)
            guard isAuthenticated else { return rejectEarlyMessage(id) }
            guard policy.unknownTypes == .areAnswered else {
                return closeAndEnd(id, CloseReason(code: ChatCloseCode.policy.rawValue, text: "Unknown message type"))
            }
            send(.error(.init(code: .unknownType, message: "Unknown message type: \(type)")), to: id)
        case .untyped(let reason), .malformed(let reason):
            refuse(malformed: reason, on: id)
        }
    }

    private mutating func take(_ extra: ReceivedExtra, on id: LinkID) {
        note("server.received.extra", ["extra": .string(extra.name)], of: id.client)
        for reply in extra.replies { say(outgoing(text: reply), to: id) }
    }

    /// Rejects a message that is not a protocol frame.
    ///
    /// Before `connected`, such a message counts as a failed login.
    mutating func refuse(malformed reason: String, on id: LinkID) {
        guard let isAuthenticated = links.read(id, { $0.acceptsFrames ? $0.session != nil : nil }) ?? nil else {
            return
        }
        note("server.protocol_error", ["reason": .string(reason)], of: id.client)
        guard isAuthenticated else { return rejectEarlyMessage(id) }
        send(.error(.init(code: .malformed, message: reason)), to: id)
    }

    /// Rejects a message before `connected` that is not a valid frame, like any other frame before the login.
    private mutating func rejectEarlyMessage(_ id: LinkID) {
        guard policy.login.earlyFrame == .isAnsweredWithError else { return rejectLogin(id) }
        send(.error(.init(code: .notAuthenticated, message: profile.auth.message)), to: id)
    }

    /// Returns the user named in a read receipt if a planted defect makes the server trust that name; otherwise nil.
    ///
    /// A correct server always attributes a receipt to the user who sends it.
    private func claimedReader(in text: String) -> String? {
        guard policy.readings == .ofAnybody else { return nil }
        return (try? JSON.decode(text))?[wire[.readerID]]?.stringValue
    }

    /// Handles a frame. A read receipt is attributed to `reader` or, if that is nil, to the connection's user.
    private mutating func handle(
        _ frame: ClientFrame,
        on id: LinkID,
        isAuthenticated: Bool,
        for reader: String?
    ) {
        switch (frame, isAuthenticated) {
        case (.ping, false) where policy.login.ping == .needsKey:
            noteRejected(frame, .notAuthenticated, of: id.client)
            rejectLogin(id)
        case (.ping(let pingID), _):
            if profile.ping.answered { send(.pong(id: pingID, time: announcedTime), to: id) }
        case (.pong, _):
            // A pong needs no special handling: like every frame, it updates the time of the last received frame.
            break
        case (.connect(let connect), false):
            authenticate(connect, on: id)
        case (.connect, true):
            reject(frame, .malformed, "connect: already connected", on: id)
        case (_, false) where policy.login.earlyFrame == .isAnsweredWithError:
            reject(frame, .notAuthenticated, profile.auth.message, on: id)
        case (_, false):
            noteRejected(frame, .notAuthenticated, of: id.client)
            rejectLogin(id)
        case (.send(let request), true):
            answer(request, on: id)
        case (.sync(let last), true):
            guard policy.replay.sending == .sent else { return }
            send(.replay(replayBuffer.replay(after: last, from: store, under: profile.replay, at: now)), to: id)
            emitDeletions(to: id, seenThrough: last)
            emitReadReceipts(to: id, seenThrough: last)
        case (.messageAck(let messageID), true):
            guard policy.replay.acknowledgement == .removes, let message = store[messageID] else { return }
            sessions.acknowledge(message.sequence, by: id.client)
        case (.readReceipt(let conversation, let messageID), true):
            read(conversation, through: messageID, by: principal(on: id), for: reader)
        case (.typing(let conversation, let active), true):
            let user = principal(on: id).user
            broadcast(.typing(conversation: conversation, user: user, active: active)) { $0.client == id.client }
        case (.executeCommand(let text), true):
            execute(text, on: id)
        case (.stop(let target), true):
            stop(target, on: id)
        }
    }

    /// Marks a conversation as read up to a message, and sends the read receipt to all other clients.
    ///
    /// `user` is the other user on whose behalf the client claims to have read it; nil for the client's own user.
    mutating func read(
        _ conversation: String,
        through messageID: String,
        by principal: Principal,
        for user: String? = nil
    ) {
        let reader = user ?? principal.user
        if let message = store[messageID], message.conversation == conversation {
            unread.read(conversation, through: message.sequence, by: reader, of: store, policy: policy.unread)
        }
        broadcast(.readReceipt(conversation: conversation, messageID: messageID, reader: reader)) {
            $0.client == principal.client
        }
    }

    /// Sends the read receipts that a returning client has missed: the newest of each conversation and reader.
    private mutating func emitReadReceipts(to id: LinkID, seenThrough seen: Int64) {
        for mark in unread.missed(by: principal(on: id).user, seenThrough: seen) {
            let page = store.page(of: mark.conversation, before: mark.sequence + 1, after: nil, limit: 1)
            guard let last = page.messages.last else { continue }
            send(.readReceipt(conversation: mark.conversation, messageID: last.id, reader: mark.reader), to: id)
        }
    }

    /// Sends the response that a script's rule specifies, in place of the server's own response.
    private mutating func give(
        _ answer: RequestRule.Answer,
        to frame: ClientFrame,
        saidAs text: String,
        on id: LinkID
    ) {
        switch answer {
        case .rejection(let code, let message):
            reject(frame, code, message, on: id)
        case .replies(let replies):
            let members = wire.frames == nil ? (try? JSON.decode(text))?.members : frame.fields
            send(replies, filledFrom: members ?? [], on: id)
        // Rules for frames cannot specify HTTP responses.
        case .response: break
        }
    }

    mutating func reject(
        _ frame: ClientFrame,
        _ code: ErrorCode,
        _ message: String,
        retryAfter: TimeSpan? = nil,
        on id: LinkID
    ) {
        noteRejected(frame, code, of: id.client)
        var error = ServerFrame.ServerError(code: code, message: message, retryAfter: retryAfter)
        if case .send(let request) = frame { error.clientMessageID = request.clientMessageID }
        // The MQTT session forgets the rejected message, so that the server handles it again if the client resends it.
        if let number = answering?.number { links.change(id) { $0.dialogue.session?.forget(number) } }
        send(.error(error), to: id)
    }

    private mutating func noteRejected(_ frame: ClientFrame, _ code: ErrorCode, of client: ClientID) {
        let key = store.note(of: frame).key
        note("server.rejected.\(frame.role.rawValue)", key: key, ["code": .string(code.word)], of: client)
    }
}

// MARK: - Login

extension ChatServer {
    private mutating func authenticate(_ connect: ClientFrame.Connect, on id: LinkID) {
        guard isRight(key: connect.key) else {
            noteRejected(.connect(connect), .notAuthenticated, of: id.client)
            return rejectLogin(id, because: reason(against: connect.key))
        }
        guard isFresh(connect, of: id.client) else { return rejectLogin(id) }
        guard let missed = beginMQTTSession(on: id) else { return }
        let account = accounts.user(of: connect.key)
        let (session, resumed) = sessions.open(id.client, resuming: connect.session)
        if resumed { supersede(session.id, with: id) }
        links.change(id) {
            $0.session = session.id
            $0.account = account
            $0.messageLimit = connect.maxMessageSize
        }
        let user = principal(on: id).user
        send(
            .connected(
                .init(
                    session: session.id,
                    resumed: resumed,
                    lastSequence: store.lastSequence,
                    user: user == id.client.name ? nil : user,
                    time: announcedTime
                )
            ),
            to: id
        )
        sendMissed(missed, to: id)
        if resumed {
            acknowledgeNumbers(on: id)
            sessions.forgetNumbers(of: id.client)
            replayUnacknowledged(of: sessions[id.client] ?? session, to: id)
        }
        exchangePresence(id)
        watch(id)
    }

    /// Starts the heartbeat of an authenticated connection, and the timer that detects a silent client.
    mutating func watch(_ id: LinkID) {
        if heartbeatInterval > .zero {
            tasks.add(.heartbeat(id, heartbeatGeneration: heartbeatGeneration), at: now + heartbeatInterval)
        }
        if profile.heartbeat.silenceLimit > .zero, policy.presence.silence == .expires {
            tasks.add(.checkSilence(id), at: now + profile.heartbeat.silenceLimit)
        }
    }

    /// Logs the client in with the key in its WebSocket URL, if the protocol has no `connect`, and resumes its last
    /// session.
    ///
    /// In an unknown protocol, a client is logged in without a key.
    mutating func logInByAddress(_ id: LinkID) {
        if wire.isUnknown {
            return authenticate(.init(key: profile.auth.key, session: sessions[id.client]?.id), on: id)
        }
        guard let frames = wire.frames, frames.keyParameter != nil else { return }
        let target = links.read(id, { $0.request.head?.path }) ?? nil
        authenticate(.init(key: target.flatMap(frames.key(inTarget:)) ?? "", session: sessions[id.client]?.id), on: id)
    }

    /// Returns whether the login is fresh, that is, not a replay of a recorded login. Always true if the profile does
    /// not require fresh logins.
    private mutating func isFresh(_ connect: ClientFrame.Connect, of client: ClientID) -> Bool {
        guard profile.auth.window > .zero, policy.auth == .freshOnly else { return true }
        let refusal = logins.refusal(of: connect.freshness, at: clock(), window: profile.auth.window)
        guard let refusal else { return true }
        noteRejected(.connect(connect), .notAuthenticated, of: client)
        note("server.login_refused", ["reason": .string(refusal.rawValue)], of: client)
        return false
    }

    /// Sends `auth_error` and closes the connection.
    ///
    /// The response is the same whatever the reason, so that it reveals nothing. Later frames on the connection are
    /// ignored.
    private mutating func rejectLogin(_ id: LinkID, because reason: String? = nil) {
        links.change(id) { $0.isRefused = true }
        let usual = profile.auth.message
        let isInText = policy.login.refusal == .givesReason || policy.login.wrongByte == .isNamed
        let due = send(.authError(message: isInText ? reason ?? usual : usual), to: id)
        guard policy.login.rejected == .isClosed else { return }
        close(id, CloseReason(code: ChatCloseCode.policy.rawValue, text: reason ?? usual), at: due)
    }

    /// Returns the reason why a key is wrong if a planted defect makes the server reveal it; otherwise returns nil.
    private func reason(against key: String) -> String? {
        let (given, right) = (Array(key.utf8), Array(profile.auth.key.utf8))
        if policy.login.wrongByte == .isNamed, given.count == right.count {
            return given.indices.first { given[$0] != right[$0] }.map { "Byte \($0) of the key is wrong" }
        }
        guard policy.login.refusal == .givesReason || policy.login.closing == .givesReason else { return nil }
        return key.isEmpty ? "The key is empty" : "No user has this key"
    }

    /// Returns whether `key` is accepted. Compares in constant time, so that the duration does not reveal where two
    /// keys differ.
    func isRight(key: String?) -> Bool {
        guard acceptsKeys, let key else { return false }
        if accounts.user(of: key) != nil { return true }
        let given = Array(key.utf8)
        let right = Array(profile.auth.key.utf8)
        var difference = given.count ^ right.count
        for index in given.indices {
            difference |= Int(given[index] ^ (right.isEmpty ? 0 : right[index % right.count]))
        }
        return difference == 0
    }

    /// Closes the session's other connections: a session has only one connection, so an older one is presumed dead.
    private mutating func supersede(_ session: String, with id: LinkID) {
        for old in links.ids(of: id.client) where old != id && links.read(old, \.session) == session {
            closeAndEnd(old, CloseReason(code: ChatCloseCode.clean.rawValue, text: "taken up elsewhere"))
        }
    }

    /// Marks messages as acknowledged once the client has confirmed the numbers of the frames that carried them.
    private mutating func acknowledgeNumbers(on id: LinkID) {
        guard let number = links.read(id, \.dialogue.acknowledged) ?? nil else { return }
        sessions.acknowledge(through: number, by: id.client)
    }

    private mutating func replayUnacknowledged(of session: SessionTable.Session, to id: LinkID) {
        guard profile.replay.mode == .untilAcknowledged, policy.replay.sending == .sent else { return }
        guard !session.unacknowledged.isEmpty else { return }
        let replay = replayBuffer.replay(
            unacknowledged: session.unacknowledged,
            from: store,
            under: profile.replay,
            at: now
        )
        if wire.has(.replay, by: .server) {
            send(.replay(replay), to: id)
        } else {
            for message in replay.messages { send(.message(message), to: id) }
        }
        let oldest = replayBuffer.oldestHeld(in: store, under: profile.replay, at: now)
        sessions.discard(before: oldest, of: id.client)
    }

    /// Announces the user's presence to all other users, and their presence to the user.
    private mutating func exchangePresence(_ id: LinkID) {
        let user = principal(on: id).user
        let change = presence.arrived(id, for: user, at: clock())
        guard profile.presence.announced else { return }
        if let change { announce(user, change) }
        for (other, entry) in presence.entries.sorted(by: { $0.key < $1.key }) where other != user {
            send(.presence(other, entry), to: id)
        }
    }

    /// Announces a user's presence on every connection except that user's own.
    mutating func announce(_ user: String, _ entry: PresenceTable.Entry) {
        guard profile.presence.announced else { return }
        let own = Set(links.authenticated().filter { principal(on: $0).user == user })
        broadcast(.presence(user, entry), except: own.contains)
    }

    mutating func beat(_ id: LinkID, heartbeatGeneration: Int) {
        guard heartbeatGeneration == self.heartbeatGeneration, links.read(id, \.isAuthenticated) == true else { return }
        let number = links.change(id) { link in
            link.heartbeats += 1
            return link.heartbeats
        }
        send(.ping(id: "h\(number ?? 0)"), to: id)
        tasks.add(.heartbeat(id, heartbeatGeneration: heartbeatGeneration), at: now + heartbeatInterval)
    }

    mutating func checkSilence(_ id: LinkID) {
        guard let lastHeard = links.read(id, { $0.isAuthenticated ? $0.lastHeard : nil }) ?? nil else { return }
        let due = lastHeard + profile.heartbeat.silenceLimit
        if due <= now { end(id, .fin) } else { tasks.add(.checkSilence(id), at: due) }
    }
}

extension ServerFrame {
    static func presence(_ user: String, _ entry: PresenceTable.Entry) -> ServerFrame {
        .presence(user: user, status: entry.status, lastSeen: entry.lastSeen, since: entry.since, text: entry.text)
    }
}
