import Faults
import Sockets
import SquallCore

extension ProxyConnection: Watcher {
    func ready(_ tag: Int, _ readiness: Readiness) {
        let side: LinkSide = tag == 0 ? .client : .server
        guard let socket = self[side].socket else { return }
        if readiness.isReadable { self[side].isReadable = true }
        if readiness.isWritable { self[side].isWritable = true }
        if readiness.hasHungUp { self[side].hasHungUp = true }
        if isShut {
            discardInput(side)
            finishIfOver()
            return
        }
        if self[side].isConnecting {
            guard readiness.isWritable || readiness.hasHungUp else { return }
            // A socket that is writable without a hang-up is connected, so SO_ERROR need not be read.
            let error = readiness.hasHungUp ? socket.takeError() : 0
            guard error == 0 else {
                discard(.server)
                recorder?.failed(LinkFailure(errorNumber: error))
                note(error)
                dial(remaining)
                return
            }
            opened()
            return
        }
        flush(side)
        pump(side)
        handleReset(afterEndOf: side, readiness)
        finishIfOver()
    }

    /// Handles a reset that follows a FIN: the peer's process has exited and its kernel responds to further bytes with
    /// RST.
    private func handleReset(afterEndOf side: LinkSide, _ readiness: Readiness) {
        guard let socket = self[side].socket, self[side].hasReadEnd else { return }
        guard self[side].hasWriteFailed || readiness.hasHungUp && socket.takeError() != 0 else { return }
        ended(side, .rst)
    }

    func due(_ tag: Int) {
        let now = reactor.now
        wake.clearIfPassed(by: now)
        resetIfTime()
        if let lingersUntil, lingersUntil <= now {
            guard !isShut, linkStatus.nextDeadline != .never || isWriting(at: now) else {
                // The linger timeout has expired.
                close()
                return
            }
            // Bytes that precede the FIN are still delayed or queued, so the linger timeout restarts until they are
            // delivered.
            self.lingersUntil = nil
            linger()
        }
        guard !isShut, !isOver else { return }
        if let redialDue, redialDue <= now {
            self.redialDue = nil
            dial(remaining)
        }
        perform(link.advance(to: now))
        pump(.client)
        pump(.server)
        finishIfOver()
    }

    /// Returns whether bytes are still queued and some were written within the last ``unreadTimeout``, which shows that
    /// a peer is still reading.
    private func isWriting(at now: Instant) -> Bool {
        guard client.hasPendingWrites || server.hasPendingWrites else { return false }
        let sent = client.sent + server.sent
        if lastProgress?.bytes != sent { lastProgress = (sent, now) }
        return lastProgress.map { now - $0.since < Self.unreadTimeout } ?? false
    }

    func resolved(_ tag: Int, _ addresses: Result<[SystemAddress], AddressError>) {
        guard !isShut, server.socket == nil else { return }
        switch addresses {
        case .success(let found): dial(found)
        case .failure(let error):
            proxy.report(error)
            failed(.nameNotFound)
        }
    }
}
