import ChatWire
import Faults
import SquallCore

/// How and why the server goes down.
struct Shutdown: Hashable, Sendable {
    enum Farewell: Hashable, Sendable {
        /// A close frame, then FIN.
        case close(CloseReason)
        /// RST, and not a word.
        case reset
    }

    var farewell: Farewell
    /// Whether what clients and others have brought outlives it: messages, sessions, reading, uploads, push tokens.
    /// What the script has set up, such as accounts and groups, always does.
    var keepsState = true
    /// Until it listens again; nil until it is started.
    var down: TimeSpan?
}

/// The server's own life: stopping, starting, draining, vanishing.
extension ChatServer {
    /// How long an abrupt shutdown may take.
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
        dropConnections(shutdown.farewell)
        forget(keepingState: shutdown.keepsState)
        if let down = shutdown.down { agenda.add(.start(life: life), at: now + down) }
    }

    /// With the clients told, and time for them to finish.
    mutating func announce(_ shutdown: Shutdown, retryAfter: TimeSpan, notice: TimeSpan) {
        life += 1
        switch policy.shutdown {
        case .announced:
            let asked = retryAfter > .zero ? retryAfter : nil
            broadcast(.draining(message: profile.drain.message, retryAfter: asked))
            agenda.add(.shutDown(shutdown, life: life), at: now + notice)
        case .abrupt:
            agenda.add(.shutDown(shutdown, life: life), at: now + Self.abruptLimit)
        }
    }

    private mutating func dropConnections(_ farewell: Shutdown.Farewell) {
        for id in links.ids {
            switch (policy.shutdown, farewell) {
            case (.announced, .close(let reason)): leaveInOrder(id, reason)
            case (.abrupt, _), (_, .reset): end(id, .rst)
            }
        }
    }

    /// What a process has in its memory is gone with it.
    private mutating func forget(keepingState: Bool) {
        agenda.remove { task in
            switch task {
            // Posts are other people's: they go on, whatever the server does.
            case .shutDown, .start, .post: false
            case .deliver, .respond, .upgrade, .close, .endClosing, .heartbeat, .checkSilence, .write, .finishPrompt,
                .finishCommand:
                true
            }
        }
        held = []
        work.forget()
        presence.forgetClients(at: clock())
        rateLimit.forget()
        if !keepingState {
            store.loseEverything()
            sessions.forgetAll()
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

    /// As after a failover that nobody told the connections of.
    mutating func vanish(_ client: ClientID?) {
        var forgotten: [ClientID] = []
        for id in links.ids(of: client) {
            guard let phase = links.read(id, \.phase), phase != .ended, phase != .deaf else { continue }
            links.change(id) { link in
                link.phase = .deaf
                link.session = nil
            }
            _ = presence.left(id, at: clock(), policy: policy.presence.leaving)
            if forgotten.last != id.client { forgotten.append(id.client) }
        }
        if let client {
            if sessions.forget(client) || !forgotten.isEmpty { note("server.session_forgotten", of: client) }
        } else {
            sessions.forgetAll()
            for client in forgotten { note("server.session_forgotten", of: client) }
        }
    }

    mutating func carryOut(_ task: ServerTask) {
        switch task {
        case .deliver(let outgoing, let id): deliver(outgoing, to: id)
        case .respond(let response, let id): write(response, on: id)
        case .upgrade(let id): completeUpgrade(id)
        case .close(let id, let reason): close(id, reason)
        case .endClosing(let id): end(id, .fin)
        case .heartbeat(let id, let rhythm): beat(id, rhythm: rhythm)
        case .checkSilence(let id): checkSilence(id)
        case .write(let stream): write(stream)
        case .finishPrompt(let number, let client): finishPrompt(number, .done, of: client)
        case .finishCommand(let id, let client): finishCommand(id, .done, of: client)
        case .post(let post, let first): self.post(post, from: first)
        case .shutDown(let shutdown, let life): if life == self.life { shutDown(shutdown) }
        case .start(let life): if life == self.life { start() }
        }
    }
}
