import ChatWire
import FakeServer
import Faults
import ReferenceClient
import ScenarioModel
import Sockets
import SquallCore

/// Establishes connections. The two ends of a connection are matched by the caller's local port.
///
/// A connection is reported to the run once both ends are connected. The accepting side is notified first, and the
/// connections opened by one process are reported in the order in which it opened them. The run therefore does not
/// depend on the order in which the kernel reports events.
extension LiveNetwork {
    /// Starts connecting from `caller` to one of the run's listeners.
    func call(_ caller: Caller, _ listener: Listener) {
        let wire = newWire(caller, to: listener)
        // The outcome may be reported before `begin` returns the attempt, in which case it is stored here.
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

    /// Starts connecting from the relay to an external server. This process owns only the relay's end of the
    /// connection.
    func call(_ link: LinkID, _ upstream: UpstreamAddress) {
        let wire = Wire(.relay(link), .connecting)
        wires.append(wire)
        wireOf[wire.caller] = wire
        wire.attempt = ConnectAttempt.begin(
            toHost: upstream.host,
            port: upstream.port,
            settings: options.sockets,
            on: loop
        ) { [weak self] outcome in
            // For a numeric address, this closure may be called before `begin` returns the connection attempt.
            wire.attempt = nil
            self?.reached(wire, link, upstream, outcome)
        }
        if wire.phase != .connecting { wire.attempt = nil }
    }

    private func reached(
        _ wire: Wire,
        _ link: LinkID,
        _ upstream: UpstreamAddress,
        _ outcome: ConnectAttempt.Outcome
    ) {
        switch outcome {
        case .connected(let connection):
            guard wire.phase == .connecting else { return connection.end(.rst) }
            wire.phase = .established
            wire.callerEnd = connection
            capture?.called(from: connection.localPort)
            let open = { [weak self] in
                connection.onEvent = { [weak self] event in self?.notifyRelay(link, .server, event) { [$0] } }
                self?.onInput(.relay(.upstreamOpened(link)))
            }
            guard upstream.isSecured else { return open() }
            secureUpstream(wire, link, connection, upstream.host, open)
        case .failed(let failure): callFailed(wire, failure)
        case .impossible(let error) where error.isExhaustion: fail(error)
        case .impossible: callFailed(wire, .unreachable)
        }
    }

    func newWire(_ caller: Caller, to listener: Listener) -> Wire {
        let wire = Wire(caller, listener.acceptMode == .dropping ? .lost : .connecting)
        wire.isRefused = listener.acceptMode == .refusing
        wires.append(wire)
        wireOf[caller] = wire
        return wire
    }

    private func called(_ wire: Wire, _ outcome: ConnectAttempt.Outcome) {
        wire.attempt = nil
        switch outcome {
        case .connected(let connection):
            guard wire.phase == .connecting else { return connection.end(.rst) }
            wire.callerEnd = connection
            connection.onEvent = { [weak self, weak wire] in
                if case .ended = $0, let wire { self?.callFailed(wire, .reset) }
            }
            callerBound(wire, at: connection.localPort)
        case .failed(let failure):
            callFailed(wire, failure)
        case .impossible(let error):
            fail(error)
        }
    }

    /// Records the local port of a caller's socket. A connection accepted from that port is the other end of the
    /// caller's connection.
    func callerBound(_ wire: Wire, at port: Int) {
        wireFromPort[port] = wire
        if let callee = unmatchedConnections.removeValue(forKey: port) { accepted(callee, by: wire) }
    }

    func accepted(_ connection: Connection) {
        let port = connection.peerPort
        if abandonedPorts.remove(port) != nil {
            connection.end(.rst)
        } else if let wire = wireFromPort[port], wire.calleeEnd == nil, wire.phase == .connecting {
            accepted(connection, by: wire)
        } else {
            unmatchedConnections[port]?.end(.rst)
            unmatchedConnections[port] = connection
        }
    }

    private func accepted(_ callee: Connection, by wire: Wire) {
        wire.calleeEnd = callee
        callee.onEvent = { [weak wire] in wire?.early.append($0) }
        establishReady(like: wire.caller)
    }

    /// Reports the connections opened by one process, in order, stopping at the first that is not connected at both
    /// ends.
    func establishReady(like caller: Caller) {
        while let next = wires.first(where: { $0.phase == .connecting && $0.caller.process == caller.process }),
            let callee = next.calleeEnd, next.callerEnd != nil
        {
            if let security, next.handshake != .done, security.isOf(next.caller) {
                guard next.handshake == .none else { return }
                secure(next, callee, security)
                guard next.handshake == .done || next.phase != .connecting else { return }
                // An unanswered handshake does not delay the connections that follow it.
                continue
            }
            establish(next, callee)
        }
    }

    private func establish(_ wire: Wire, _ callee: Connection) {
        wire.phase = .established
        switch wire.caller {
        case .connection(let id):
            acceptOutcome(id.client, wire, callee)
            guard wireOf[wire.caller] === wire, let connection = wire.callerConnection else { return }
            connection.onEvent = { [weak self, weak wire] in self?.emit(id, wire, $0) }
            onInput(.client(id.client, .opened(id)))
        case .exchange(let id):
            acceptOutcome(id.client, wire, callee)
            // libcurl writes the request the next time it is called, so it is called immediately.
            exchanges?.turn()
        case .foreign: break
        case .relay(let link):
            wireToServer[link] = wire
            callee.onEvent = { [weak self, weak wire] in self?.notifyServer(link, wire, $0) }
            onInput(.server(.accepted(link)))
            emitEarly(wire, callee)
            guard wireOf[wire.caller] === wire, let connection = wire.callerConnection else { return }
            connection.onEvent = { [weak self, weak wire] event in
                self?.notifyRelay(link, .server, event) { wire?.calleeWrites.pieces(of: $0) ?? [] }
            }
            onInput(.relay(.upstreamOpened(link)))
        }
    }

    /// Reports that the relay accepted a client's connection, which becomes the client's next link.
    private func acceptOutcome(_ client: ClientID, _ wire: Wire, _ callee: Connection) {
        let number = linkCount[client, default: 0] + 1
        linkCount[client] = number
        let link = LinkID(client, number)
        wireFromClient[link] = wire
        callee.onEvent = { [weak self, weak wire] event in
            self?.notifyRelay(link, .client, event) { wire?.callerWrites.pieces(of: $0) ?? [] }
        }
        onInput(.relay(.accepted(link)))
        emitEarly(wire, callee)
    }

    /// Handles the events that the accepting end received before the connection was reported to the run.
    private func emitEarly(_ wire: Wire, _ callee: Connection) {
        let early = wire.early
        wire.early.removeAll()
        for event in early { callee.onEvent(event) }
    }

    // MARK: - Failed calls

    /// Reports that a connection attempt failed; does nothing if the connection was already established or abandoned.
    func callFailed(_ wire: Wire, _ failure: LinkFailure) {
        guard wire.phase == .connecting else { return }
        giveUp(wire, as: .over)
        if wireOf[wire.caller] === wire {
            wireOf[wire.caller] = nil
            if failure == .tls { emitHandshakeFailed(wire) }
            switch wire.caller {
            case .connection(let id): onInput(.client(id.client, .connectFailed(id, failure)))
            case .exchange(let id): onInput(.client(id.client, .requestFailed(id, failure)))
            case .relay(let link): onInput(.relay(.upstreamFailed(link, failure)))
            case .foreign: break
            }
        }
        establishReady(like: wire.caller)
    }

    /// Abandons a connection attempt and closes its sockets.
    ///
    /// The kernel may already have completed the connection. A connection that a listener accepts later from the same
    /// port is therefore reset.
    func giveUp(_ wire: Wire, as phase: Wire.Phase) {
        let wasLost = wire.phase == .lost
        wire.phase = phase
        let port = wire.callerConnection?.localPort ?? (wire.callerEnd as? CurlExchange)?.socket?.localPort
        if let port = port ?? wire.attempt?.localPort, wire.calleeEnd == nil, !wasLost { orphan(port) }
        wire.attempt?.abandon()
        wire.attempt = nil
        if case .exchange(let id) = wire.caller { exchanges?.discard(id) }
        for end in [wire.callerConnection, wire.calleeEnd] {
            end?.onEvent = { _ in }
            end?.end(.rst)
        }
    }

    private func orphan(_ port: Int) {
        wireFromPort[port] = nil
        if let callee = unmatchedConnections.removeValue(forKey: port) {
            callee.end(.rst)
        } else {
            abandonedPorts.insert(port)
        }
    }

    /// Applies a listener's new accept mode to connections that have not been reported yet.
    ///
    /// If the mode changes several times, the first mode other than `open` determines the outcome of a connection
    /// attempt.
    func acceptModeChanged(from old: AcceptMode, to new: AcceptMode, for calls: (Caller) -> Bool) {
        for wire in wires where calls(wire.caller) {
            switch (wire.phase, new) {
            case (.connecting, .refusing): callFailed(wire, .refused)
            case (.connecting, .dropping) where !wire.isRefused: giveUp(wire, as: .lost)
            // The kernel would retransmit the SYNs of these connections within a second and connect. However, a
            // connection attempt that began during a blackhole must remain lost.
            case (.lost, _) where old == .dropping && new != .dropping: giveUp(wire, as: .lost)
            default: break
            }
        }
    }

    // MARK: - Socket events

    private func emit(_ id: ConnectionID, _ wire: Wire?, _ event: Connection.Event) {
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

    private func notifyRelay(
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

    private func notifyServer(_ link: LinkID, _ wire: Wire?, _ event: Connection.Event) {
        guard let wire else { return }
        switch event {
        case .received(let bytes):
            for piece in wire.callerWrites.pieces(of: bytes) { onInput(.server(.received(link, piece))) }
        case .ended(let end):
            onInput(.server(.ended(link, end)))
        }
    }

    // MARK: - Ending

    /// Ends a caller's connection with a FIN or an RST.
    ///
    /// A client receives no further input about the connection. The relay continues to receive input after a FIN.
    func end(_ caller: Caller, _ how: LinkEnd) {
        guard let wire = wireOf[caller] else { return }
        if caller.process != nil || how == .rst || wire.phase != .established { wireOf[caller] = nil }
        switch wire.phase {
        case .connecting:
            giveUp(wire, as: .over)
            establishReady(like: caller)
        case .lost:
            giveUp(wire, as: .lost)
        case .over:
            break
        case .established:
            if caller.process != nil { wire.callerConnection?.onEvent = { _ in } }
            wire.endByCaller(how)
        }
    }
}
