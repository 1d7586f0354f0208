import ChatWire
import Faults
import SquallCore

/// A server shutdown: how connections end, what state is kept, and when the server starts again.
struct Shutdown: Hashable, Sendable {
    enum Ending: Hashable, Sendable {
        /// The server sends a close frame, then a FIN.
        case close(CloseReason)
        /// The server sends an RST without a close frame.
        case reset
    }

    var ending: Ending
    /// Whether messages, sessions, read marks, uploads and push tokens survive the shutdown.
    ///
    /// State that the script has set up, such as accounts and groups, always survives.
    var keepsState = true
    /// The time until the server listens again; nil if it stays down until it is started.
    var down: TimeSpan?
}

/// Starts, stops and drains the server, or makes it vanish, leaving its connections open but unresponsive.
extension ChatServer {
    /// The delay before an abrupt shutdown cuts the connections.
    private static let abruptLimit = TimeSpan.milliseconds(100)

    mutating func start() {
        life += 1
        guard !isListening else { return }
        isListening = true
        outputs.append(.listen(true))
        note("server.started")
    }

    mutating func shutDown(_ shutdown: Shutdown) {
        life += 1
        if isListening {
            isListening = false
            outputs.append(.listen(false))
            note("server.stopped")
        }
        dropConnections(shutdown.ending)
        forget(keepingState: shutdown.keepsState)
        if let down = shutdown.down { tasks.add(.start(life: life), at: now + down) }
    }

    /// Announces a shutdown to the clients and schedules it for `notice` later, so that they can finish their work.
    mutating func announce(_ shutdown: Shutdown, retryAfter: TimeSpan, notice: TimeSpan) {
        life += 1
        switch policy.shutdown {
        case .announced:
            let asked = retryAfter > .zero ? retryAfter : nil
            broadcast(.draining(message: profile.drain.message, retryAfter: asked))
            tasks.add(.shutDown(shutdown, life: life), at: now + notice)
        case .abrupt:
            tasks.add(.shutDown(shutdown, life: life), at: now + Self.abruptLimit)
        }
    }

    private mutating func dropConnections(_ ending: Shutdown.Ending) {
        for id in links.ids {
            switch (policy.shutdown, ending) {
            case (.announced, .close(let reason)): closeAndEnd(id, reason)
            case (.abrupt, _), (_, .reset): end(id, .rst)
            }
        }
    }

    /// Discards the state that a real process keeps in memory and loses on exit.
    private mutating func forget(keepingState: Bool) {
        tasks.remove { task in
            switch task {
            // Shutdown, start and post tasks survive a stop. Messages posted by the script come from other users, who
            // keep writing while the server is down.
            case .shutDown, .start, .post: false
            case .deliver, .respond, .upgrade, .close, .endClosing, .heartbeat, .checkSilence, .expire, .answerSync,
                .write, .finishPrompt, .finishCommand:
                true
            }
        }
        held = []
        work.forget()
        presence.forgetClients(at: clock())
        rateLimit.forget()
        if !keepingState {
            note("server.state_lost")
            hasLostState = true
            store.loseEverything()
            sessions.forgetAll()
            mqttSessions.forgetAll()
            logins.forget()
            unread = UnreadTable()
            uploads = UploadTable()
            pushes = PushTable()
            replayBuffer.floor = 0
        } else if policy.replay.restart == .losesQueue {
            replayBuffer.floor = store.lastSequence
            sessions.dropQueues()
        }
    }

    /// Forgets sessions and leaves their connections open but unresponsive, as after a failover that the clients did
    /// not notice.
    mutating func vanish(_ client: ClientID?) {
        var forgotten: [ClientID] = []
        var departures: [(user: String, entry: PresenceTable.Entry)] = []
        for id in links.ids(of: client) {
            guard let phase = links.read(id, \.phase), phase != .ended, phase != .unresponsive else { continue }
            links.change(id) { link in
                link.phase = .unresponsive
                link.session = nil
                link.dialogue.session = nil
            }
            if let (user, entry) = presence.left(id, at: clock(), policy: policy.presence.leaving) {
                departures.append((user, entry))
            }
            if forgotten.last != id.client { forgotten.append(id.client) }
        }
        if let client {
            mqttSessions.forget(client)
            if sessions.forget(client) || !forgotten.isEmpty { note("server.session_forgotten", of: client) }
        } else {
            sessions.forgetAll()
            mqttSessions.forgetAll()
            for client in forgotten { note("server.session_forgotten", of: client) }
        }
        for (user, entry) in departures { announce(user, entry) }
    }

    mutating func carryOut(_ task: ServerTask) {
        switch task {
        case .deliver(let outgoing, let id): deliver(outgoing, to: id)
        case .respond(let response, let id): write(response, on: id)
        case .upgrade(let id): completeUpgrade(id)
        case .close(let id, let reason): close(id, reason)
        case .endClosing(let id): end(id, .fin)
        case .heartbeat(let id, let heartbeatGeneration): beat(id, heartbeatGeneration: heartbeatGeneration)
        case .checkSilence(let id): checkSilence(id)
        case .expire(let id): expire(id)
        case .answerSync(let session, let request): answerSync(of: session, on: request)
        case .write(let stream): write(stream)
        case .finishPrompt(let number, let client): finishPrompt(number, .done, of: client)
        case .finishCommand(let id, let client): finishCommand(id, .done, of: client)
        case .post(let post, let first): self.post(post, from: first)
        case .shutDown(let shutdown, let life): if life == self.life { shutDown(shutdown) }
        case .start(let life): if life == self.life { start() }
        }
    }
}
