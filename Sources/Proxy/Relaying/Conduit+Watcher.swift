import Faults
import Foundations
import Sockets

extension Conduit: Watcher {
    func ready(_ tag: Int, _ readiness: Readiness) {
        let side: LinkSide = tag == 0 ? .client : .server
        guard let socket = self[side].socket else { return }
        if readiness.isReadable { self[side].isReadable = true }
        if readiness.isWritable { self[side].isWritable = true }
        if readiness.hasHungUp { self[side].hasHungUp = true }
        if isShut {
            drain(side)
            finishIfOver()
            return
        }
        if self[side].isConnecting {
            guard readiness.isWritable || readiness.hasHungUp else { return }
            // A socket that can be written and nothing else is connected: nobody needs to ask.
            let error = readiness.hasHungUp ? socket.takeError() : 0
            guard error == 0 else {
                discard(.server)
                tap?.failed(LinkFailure(errorNumber: error))
                if remaining.isEmpty { failed(error) } else { dial(remaining) }
                return
            }
            opened()
            return
        }
        flush(side)
        pump(side)
        finishIfOver()
    }

    func due(_ tag: Int) {
        let now = reactor.now
        if scheduled <= now { scheduled = .never }
        resetIfTime()
        if let lingersUntil, lingersUntil <= now {
            guard !isShut, standing.nextDeadline != .never else {
                // Whoever has not ended by now is closed on.
                close()
                return
            }
            // What was on its way before the end still arrives: the time counts from when it has.
            self.lingersUntil = nil
            linger()
        }
        guard !isShut, !isOver else { return }
        if let redials, redials <= now {
            self.redials = nil
            dial(remaining)
        }
        perform(link.advance(to: now))
        pump(.client)
        pump(.server)
        finishIfOver()
    }

    func resolved(_ tag: Int, _ addresses: Result<[SystemAddress], AddressError>) {
        guard !isShut, server.socket == nil else { return }
        switch addresses {
        case .success(let found): dial(found)
        case .failure(let error):
            proxy.complain(error)
            failed(0)
        }
    }
}
