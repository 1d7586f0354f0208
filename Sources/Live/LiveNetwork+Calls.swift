import ChatWire
import FakeServer
import Faults
import Foundations
import ReferenceClient
import ScenarioModel
import Sockets

/// How connections come about: a caller and whoever accepted it find each other by the caller's port.
///
/// Only when both ends stand is either told, the accepting side first, so that the order does not hang on which of two
/// events the kernel happened to report first.
extension LiveNetwork {
    func call(_ caller: Caller, _ listener: Listener) {
        let wire = Wire(caller, isLost: listener.door == .dropping)
        wires.append(wire)
        wireOf[caller] = wire
        // An outcome may come before the attempt is returned.
        var early: ConnectAttempt.Outcome?
        let attempt = ConnectAttempt.begin(
            from: address,
            to: address,
            port: listener.port,
            settings: options.sockets,
            on: loop
        ) { [weak self] in
            if wire.attempt == nil { early = $0 } else { self?.called(wire, $0) }
        }
        wire.attempt = attempt
        if let early { called(wire, early) }
    }

    private func called(_ wire: Wire, _ outcome: ConnectAttempt.Outcome) {
        wire.attempt = nil
        switch outcome {
        case .connected(let connection):
            guard wireOf[wire.caller] === wire else {
                connection.end(.rst)
                return
            }
            wire.callerEnd = connection
            connection.onEvent = { [weak self, weak wire] in
                if case .ended = $0, let wire { self?.callFailed(wire, .reset) }
            }
            callerStands(wire, at: connection.localPort)
        case .failed(let failure):
            callFailed(wire, failure)
        case .impossible(let error):
            fail(error)
        }
    }

    /// A caller's socket has its port: what was accepted from there is this wire's other end.
    func callerStands(_ wire: Wire, at port: Int) {
        wireFromPort[port] = wire
        if let callee = unclaimed.removeValue(forKey: port) { meet(wire, callee) }
    }

    private func callFailed(_ wire: Wire, _ failure: LinkFailure) {
        wire.drop()
        guard wireOf[wire.caller] === wire else { return }
        wireOf[wire.caller] = nil
        switch wire.caller {
        case .connection(let id): onInput(.client(id.client, .connectFailed(id, failure)))
        case .relay(let link): onInput(.relay(.upstreamFailed(link, failure)))
        case .exchange: break
        }
    }

    func accepted(_ connection: Connection) {
        let port = connection.peerPort
        if orphans.remove(port) != nil {
            connection.end(.rst)
        } else if let wire = wireFromPort[port], wire.calleeEnd == nil, !wire.isOver {
            meet(wire, connection)
        } else {
            unclaimed[port]?.end(.rst)
            unclaimed[port] = connection
        }
    }

    private func meet(_ wire: Wire, _ callee: Connection) {
        wire.calleeEnd = callee
        switch wire.caller {
        case .connection(let id):
            welcome(id.client, wire, callee)
            guard wireOf[wire.caller] === wire, let connection = wire.callerEnd as? Connection else { return }
            connection.onEvent = { [weak self, weak wire] in self?.tell(id, wire, $0) }
            onInput(.client(id.client, .opened(id)))
        case .exchange(let id):
            welcome(id.client, wire, callee)
        case .relay(let link):
            wireToServer[link] = wire
            callee.onEvent = { [weak self, weak wire] in self?.tellServer(link, wire, $0) }
            onInput(.server(.accepted(link)))
            guard wireOf[wire.caller] === wire, let connection = wire.callerEnd as? Connection else { return }
            connection.onEvent = { [weak self, weak wire] event in
                self?.tellRelay(link, .server, event) { wire?.calleeWrites.pieces(of: $0) ?? [] }
            }
            onInput(.relay(.upstreamOpened(link)))
        }
    }

    /// A client's connection has reached the relay: the next link of that client.
    private func welcome(_ client: ClientID, _ wire: Wire, _ callee: Connection) {
        let number = linkCount[client, default: 0] + 1
        linkCount[client] = number
        let link = LinkID(client, number)
        wireFromClient[link] = wire
        callee.onEvent = { [weak self, weak wire] event in
            self?.tellRelay(link, .client, event) { wire?.callerWrites.pieces(of: $0) ?? [] }
        }
        onInput(.relay(.accepted(link)))
    }

    // MARK: - What sockets bring

    private func tell(_ id: ConnectionID, _ wire: Wire?, _ event: Connection.Event) {
        guard let wire else { return }
        switch event {
        case .received(let bytes):
            for piece in wire.calleeWrites.pieces(of: bytes) where wireOf[.connection(id)] === wire {
                onInput(.client(id.client, .received(id, piece)))
            }
        case .ended(let end):
            guard wireOf[.connection(id)] === wire else { return }
            onInput(.client(id.client, .ended(id, end == .fin ? .endOfStream : .reset)))
        }
    }

    private func tellRelay(
        _ link: LinkID,
        _ side: LinkSide,
        _ event: Connection.Event,
        pieces: ([UInt8]) -> [[UInt8]]
    ) {
        switch event {
        case .received(let bytes):
            for piece in pieces(bytes) { onInput(.relay(.received(link, from: side, piece))) }
        case .ended(let end):
            onInput(.relay(.ended(link, side: side, end)))
        }
    }

    private func tellServer(_ link: LinkID, _ wire: Wire?, _ event: Connection.Event) {
        guard let wire else { return }
        switch event {
        case .received(let bytes):
            for piece in wire.callerWrites.pieces(of: bytes) { onInput(.server(.received(link, piece))) }
        case .ended(let end):
            onInput(.server(.ended(link, end)))
        }
    }

    // MARK: - Ending

    /// The caller ends its connection.
    ///
    /// A client hears nothing of it afterwards; the relay still does after a FIN.
    func end(_ caller: Caller, _ how: LinkEnd) {
        guard let wire = wireOf[caller] else { return }
        if caller.process != nil || how == .rst { wireOf[caller] = nil }
        abandon(wire)
        guard let connection = wire.callerEnd as? Connection else { return }
        if caller.process != nil { connection.onEvent = { _ in } }
        connection.end(how)
    }

    /// Gives up an attempt that has no outcome yet.
    ///
    /// The other kernel may have completed it: what is accepted later from that port is nobody's.
    func abandon(_ wire: Wire) {
        if let attempt = wire.attempt {
            if !wire.isLost, let port = attempt.localPort { orphan(port) }
            attempt.abandon()
            wire.drop()
            wireOf[wire.caller] = nil
        } else if let connection = wire.callerEnd as? Connection, wire.calleeEnd == nil, connection.isOpen {
            orphan(connection.localPort)
            wire.drop()
        }
    }

    /// Whatever was or will be accepted from this port is closed and not told.
    func orphan(_ port: Int) {
        wireFromPort[port] = nil
        if let callee = unclaimed.removeValue(forKey: port) { callee.end(.rst) } else { orphans.insert(port) }
    }
}
