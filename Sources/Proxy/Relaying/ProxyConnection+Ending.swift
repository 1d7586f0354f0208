import Faults
import Sockets
import SquallCore

/// How a conduit's sockets end.
extension ProxyConnection {
    func end(_ side: LinkSide, _ how: LinkEnd) {
        if how == .fin, self[side].isSecured { sendCloseNotify(to: side) }
        guard let socket = self[side].socket else { return }
        guard self[side].backlog.isEmpty else {
            self[side].pendingEnd = how
            if how == .rst { waitToReset() }
            return
        }
        switch how {
        case .fin:
            self[side].pendingEnd = nil
            self[side].hasSentFIN = true
            tap?.end(side, .fin)
            socket.endOutput()
            closeIfDone(side)
        case .rst:
            // A reset takes with it what the kernel has not delivered yet.
            // A FIN counts as one byte, and goes with it.
            let isDelivered = socket.unacknowledged <= (self[side].hasSentFIN ? 1 : 0)
            guard isDelivered || resetBy.map({ $0 <= reactor.now }) == true else {
                self[side].pendingEnd = .rst
                waitToReset()
                return
            }
            tap?.end(side, .rst)
            socket.resetOnClose()
            discard(side)
        }
    }

    func waitToReset() {
        guard resetBy == nil else { return }
        resetBy = reactor.now + Self.resetPatience
        reactor.schedule(client.token, at: reactor.now + .milliseconds(1))
    }

    func resetIfTime() {
        guard let resetBy else { return }
        let isTime = resetBy <= reactor.now
        for side in LinkSide.allCases where self[side].pendingEnd == .rst {
            if isTime { self[side].dropBacklog() }
            end(side, .rst)
        }
        guard client.pendingEnd == .rst || server.pendingEnd == .rst else {
            self.resetBy = nil
            return
        }
        reactor.schedule(client.token, at: reactor.now + .milliseconds(1))
    }

    /// Both directions of a socket are over.
    func closeIfDone(_ side: LinkSide) {
        guard self[side].hasReadEnd, self[side].hasSentFIN, self[side].socket != nil else { return }
        discard(side)
    }

    func discard(_ side: LinkSide) {
        guard let socket = self[side].socket else { return }
        self[side].socket = nil
        self[side].pendingEnd = nil
        self[side].isConnecting = false
        self[side].isReadable = false
        self[side].isWritable = false
        self[side].hasHungUp = false
        self[side].dropBacklog()
        // The client's token outlives its socket: deadlines bear it.
        if side == .server { reactor.forget(server.token) }
        socket.close()
    }

    /// Ends both sides by FIN at once, whatever is under way, as when the proxy is disabled.
    func shut() {
        for side in LinkSide.allCases {
            if self[side].isSecured, self[side].backlog.isEmpty { sendCloseNotify(to: side) }
            self[side].dropBacklog()
            setReadMode(side, .none)
            guard let socket = self[side].socket else { continue }
            if self[side].isConnecting {
                discard(side)
            } else {
                tap?.end(side, .fin)
                socket.endOutput()
                self[side].hasSentFIN = true
                drain(side)
            }
        }
        isShut = true
        linger()
        finishIfOver()
    }

    func drain(_ side: LinkSide) {
        var turns = 0
        while let socket = self[side].socket {
            turns += 1
            guard turns <= Self.turns else {
                reactor.requeue(self[side].token)
                return
            }
            switch socket.receive(into: reactor.scratch) {
            case .bytes: continue
            case .nothing: return
            case .end, .broken: discard(side)
            }
        }
    }

    /// Closes at once, by FIN, or by RST where a peer's bytes lie unread.
    func close() {
        isShut = true
        for side in LinkSide.allCases where self[side].isOpen { tap?.end(side, .fin) }
        discard(.client)
        discard(.server)
        finishIfOver()
    }

    /// Closes at once; where a stream is not over its end is a reset, so that nobody takes half of it for the whole.
    func abort() {
        for side in LinkSide.allCases where !self[side].hasSentFIN { self[side].socket?.resetOnClose() }
        close()
    }

    /// Whether the upstream has all that the client sent, to the end, or wants no more.
    var hasForwardedAll: Bool { server.hasSentFIN || server.hasReadEnd && server.socket == nil }

    func linger() {
        guard lingersUntil == nil else { return }
        let limit = reactor.now + Self.lingering
        lingersUntil = limit
        reactor.schedule(client.token, at: limit)
    }
}
