import Faults
import Sockets
import SquallCore

/// Closes and resets a proxy connection's sockets, and keeps the connection lingering where necessary.
extension ProxyConnection {
    /// Ends the stream to one side, with FIN or RST, once all bytes queued for that side have been written.
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
            recorder?.end(side, .fin)
            socket.endOutput()
            closeIfDone(side)
        case .rst:
            // RST makes the kernel discard unacknowledged bytes, so all bytes must be acknowledged first. A FIN that
            // was sent counts as one unacknowledged byte, but the RST need not wait for it.
            let isDelivered = socket.unacknowledged <= (self[side].hasSentFIN ? 1 : 0)
            guard isDelivered || resetBy.map({ $0 <= reactor.now }) == true else {
                self[side].pendingEnd = .rst
                waitToReset()
                return
            }
            recorder?.end(side, .rst)
            socket.resetOnClose()
            discard(side)
        }
    }

    /// Starts checking, every millisecond, whether all written bytes are acknowledged, for at most ``resetTimeout``.
    func waitToReset() {
        guard resetBy == nil else { return }
        resetBy = reactor.now + Self.resetTimeout
        reactor.schedule(client.token, at: reactor.now + .milliseconds(1))
    }

    /// Resets each side with a pending reset if its bytes are acknowledged or ``resetTimeout`` has elapsed.
    func resetIfTime() {
        guard let resetBy else { return }
        let isTime = resetBy <= reactor.now
        for side in LinkSide.allCases where self[side].pendingEnd == .rst {
            if isTime { self[side].discardBacklog() }
            end(side, .rst)
        }
        guard client.pendingEnd == .rst || server.pendingEnd == .rst else {
            self.resetBy = nil
            return
        }
        reactor.schedule(client.token, at: reactor.now + .milliseconds(1))
    }

    /// Closes a socket once both of its directions have ended.
    func closeIfDone(_ side: LinkSide) {
        guard self[side].hasReadEnd, self[side].hasSentFIN, self[side].socket != nil else { return }
        discard(side)
    }

    /// Closes a socket immediately and drops its backlog.
    func discard(_ side: LinkSide) {
        guard let socket = self[side].socket else { return }
        self[side].socket = nil
        self[side].pendingEnd = nil
        self[side].isConnecting = false
        self[side].isReadable = false
        self[side].isWritable = false
        self[side].hasHungUp = false
        self[side].discardBacklog()
        // The client's token outlives its socket, because the connection's deadlines are scheduled with it.
        if side == .server { reactor.forget(server.token) }
        socket.close()
    }

    /// Sends FIN to both sides immediately and drops all queued bytes, as when the proxy is disabled.
    func shut() {
        for side in LinkSide.allCases {
            if self[side].isSecured, self[side].backlog.isEmpty { sendCloseNotify(to: side) }
            self[side].discardBacklog()
            setReadMode(side, .none)
            guard let socket = self[side].socket else { continue }
            if self[side].isConnecting {
                discard(side)
            } else {
                recorder?.end(side, .fin)
                socket.endOutput()
                self[side].hasSentFIN = true
                discardInput(side)
            }
        }
        isShut = true
        linger()
        finishIfOver()
    }

    /// Reads and discards bytes until the socket would block or the stream ends, because the kernel sends RST when a
    /// socket with unread bytes is closed.
    func discardInput(_ side: LinkSide) {
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

    /// Closes both sockets immediately. The kernel sends FIN, or RST if bytes are unread.
    func close() {
        isShut = true
        for side in LinkSide.allCases where self[side].isOpen { recorder?.end(side, .fin) }
        discard(.client)
        discard(.server)
        finishIfOver()
    }

    /// Closes both sockets immediately. A side whose stream is incomplete is reset, so that its peer does not treat the
    /// stream as complete.
    func abort() {
        for side in LinkSide.allCases where !self[side].hasSentFIN { self[side].socket?.resetOnClose() }
        close()
    }

    /// Whether all client data, including the end of the stream, has been forwarded, or the upstream has closed.
    var hasForwardedAll: Bool { server.hasSentFIN || server.hasReadEnd && server.socket == nil }

    /// Starts the linger timeout of a connection that a fault has ended. When it expires, the connection is closed
    /// unless its peers have already closed it.
    func linger() {
        guard lingersUntil == nil else { return }
        let limit = reactor.now + Self.lingering
        lingersUntil = limit
        reactor.schedule(client.token, at: limit)
    }
}
