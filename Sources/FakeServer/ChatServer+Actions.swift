import ChatWire
import Faults
import SquallCore

/// Performs the server actions in a scenario.
extension ChatServer {
    mutating func perform(_ action: ServerAction) {
        switch action {
        case .post(let post): self.post(post)
        case .history(let history): remember(history)
        case .stream(let stream): begin(stream)
        case .type(let conversation, let user, let active):
            broadcast(.typing(conversation: conversation, user: user, active: active))
        case .presence(let user, let status, let text):
            broadcast(.presence(user, presence.set(user, to: status, text, at: clock())))
        case .identify(let client, let user): presence.identify(client, as: user)
        case .error(let error, let client):
            for id in links.authenticated(client) { send(.error(error), to: id) }
        case .say(let message, let client): say(message, to: client)

        case .stop: shutDown(Shutdown(ending: .close(.goingAway)))
        case .start: start()
        case .restart(let down, let keeping, let notice):
            let shutdown = Shutdown(ending: .close(.restarting), keepsState: keeping, down: down)
            guard let notice else { return shutDown(shutdown) }
            announce(shutdown, retryAfter: profile.drain.retryAfter, notice: notice)
        case .crash(let down): shutDown(Shutdown(ending: .reset, down: down))
        case .vanish(let client): vanish(client)
        case .down(let host): stop(host: host)
        case .up(let host): start(host: host)
        case .failPrompt(let conversation): failPrompts(of: conversation)
        case .drain(let retryAfter, let notice, let down):
            announce(
                Shutdown(ending: .close(.goingAway), down: down ?? profile.drain.down),
                retryAfter: retryAfter ?? profile.drain.retryAfter,
                notice: notice ?? profile.drain.notice
            )

        case .close(let code, let reason, let client):
            for id in connections(of: client, for: action) { close(id, CloseReason(code: code, text: reason)) }
        case .disconnect(let how, let client):
            for id in connections(of: client, for: action) { end(id, how) }

        case .addReplyRule(let rule): replyRules.add(rule)
        case .release(let label, let order): release(label, order)
        case .answer(let rule): requestRules.add(rule)
        case .fail(let failure): requestRules.add(failure)
        case .clear:
            replyRules.removeAll()
            requestRules.removeAll()

        case .auth(.accept(let lets)): acceptsKeys = lets
        case .auth(.key(let key)): profile.auth.key = key
        case .limit(let count, let span):
            profile.rateLimit.count = count
            profile.rateLimit.window = span
        case .heartbeat(let on, let every): beat(on ? every ?? usualInterval : .zero)
        case .pong(let on): profile.ping.answered = on
        case .clock(let skew): profile.clock.skew = skew
        case .restrict(let conversation, let users): members.restrict(conversation, to: users)
        case .account(let user, let key): accounts.open(user, key: key)
        case .push(let order): push(order)
        case .removeConversation(let conversation): remove(conversation)

        case .introduce(let introduction): partners.add(introduction)
        case .group(let conversation, let members): groups.set(conversation, to: members)
        }
    }

    /// Returns the connections that `action` targets; records a hit in the trace if there are any.
    private mutating func connections(of client: ClientID?, for action: ServerAction) -> [LinkID] {
        let ids = links.ids(of: client)
        if let first = ids.first, let aim = action.aim { noteHit(aim, of: first.client) }
        return ids
    }

    /// Deletes a conversation. Clients are not notified; they only notice the deletion when they make a later request.
    private mutating func remove(_ conversation: String) {
        sessions.discard(Set(store.remove(conversation)))
        groups.remove(conversation)
        members.remove(conversation)
        partners.remove(conversation)
    }

    private var usualInterval: TimeSpan {
        profile.heartbeat.interval > .zero ? profile.heartbeat.interval : .seconds(30)
    }

    /// Sets the heartbeat interval of every connection; zero stops the heartbeat.
    private mutating func beat(_ interval: TimeSpan) {
        heartbeatGeneration += 1
        heartbeatInterval = interval
        guard interval > .zero else { return }
        for id in links.authenticated() {
            tasks.add(.heartbeat(id, heartbeatGeneration: heartbeatGeneration), at: now + interval)
        }
    }

    /// Sends a scripted message on the client's connections, including those that have yet to authenticate.
    private mutating func say(_ message: ServerAction.ServerMessage, to client: ClientID?) {
        let outgoing =
            switch message {
            case .json(let json): outgoing(text: json.encode())
            case .text(let text): outgoing(text: Array(text.utf8))
            case .binary(let bytes): outgoing(binary: bytes)
            }
        for id in links.ids(of: client) { say(outgoing, to: id) }
    }
}

extension CloseReason {
    static let goingAway = CloseReason(code: ChatCloseCode.goingAway.rawValue, text: "going away")
    static let restarting = CloseReason(code: ChatCloseCode.restart.rawValue, text: "restarting")
}
