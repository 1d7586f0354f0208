import ChatWire
import FakeServer
import Faults
import ReferenceClient
import ScenarioModel
import SquallCore

/// Establishes connections: a SYN to a listener, a TLS handshake if the link uses TLS, and a SYN-ACK or a refusal.
///
/// If the listener is in a mode other than open at any time between `connect` and acceptance, the first such mode
/// decides the outcome of the attempt. A real kernel also handles a SYN immediately, so a refused or dropped attempt
/// stays refused or dropped, whatever the listener does later at the same instant.
extension SimulatedNetwork {
    /// Begins a connection: creates its pipe and sends the SYN.
    mutating func connect(_ caller: Owner, at now: Instant) {
        pipes.append(SimulatedPipe())
        callers.append(caller)
        callees.append(nil)
        let pipe = pipes.count - 1
        take(pipe, .caller, by: caller)
        pipes[pipe].decidingMode = acceptMode(for: caller)
        switch caller {
        case .connection, .exchange: tap?.call(by: caller.process, at: now)
        case .relay(let link, _): tap?.call(by: link.client, for: link, at: now)
        case .server: break
        }
        schedule(.syn(pipe: pipe), after: Self.hopLatency, at: now)
    }

    /// The accept mode of the server's listener. Faults never apply to this listener: it either accepts or refuses
    /// connections.
    var serverMode: AcceptMode { serverListens ? .open : .refusing }

    /// Returns the accept mode of the listener to which `caller` connects.
    private func acceptMode(for caller: Owner) -> AcceptMode {
        guard let client = caller.process else { return serverMode }
        return acceptModes[client] ?? .open
    }

    /// Applies a listener's new accept mode to the pending connection attempts for which `callsIt` returns true.
    mutating func acceptModeChanged(to mode: AcceptMode, for callsIt: (Owner) -> Bool) {
        guard mode != .open else { return }
        for pipe in pipes.indices where pipes[pipe].hasOwner[.caller] && !pipes[pipe].established {
            guard callsIt(callers[pipe]) else { continue }
            if pipes[pipe].decidingMode == .open { pipes[pipe].decidingMode = mode }
        }
    }

    /// Handles the arrival of a SYN according to the accept mode that decides the attempt.
    mutating func syn(_ pipe: Int, at now: Instant) {
        let caller = callers[pipe]
        guard pipes[pipe].hasOwner[.caller] else { return }
        switch pipes[pipe].decidingMode {
        case .dropping: tap?.drop(pipe)
        case .refusing: refuse(pipe, at: now)
        case .open:
            if case .relay(let link, .server) = caller {
                accept(pipe, as: .server(link), at: now)
                inputs.append(.server(.accepted(link)))
            } else if let client = caller.process {
                guard isSecured else { return accept(pipe, of: client, at: now) }
                tap?.accept(pipe, at: now)
                // The delay is one hop for the SYN-ACK and one for the ClientHello.
                schedule(.clientHello(pipe: pipe), after: Self.hopLatency + Self.hopLatency, at: now)
            }
        }
    }

    /// Refuses an attempt with an RST.
    private mutating func refuse(_ pipe: Int, at now: Instant) {
        tap?.refuse(pipe, at: now)
        schedule(.synAck(pipe: pipe, .refused), after: Self.hopLatency, at: now)
    }

    /// Accepts a client's connection as its next link.
    private mutating func accept(_ pipe: Int, of client: ClientID, at now: Instant) {
        linkCount[client, default: 0] += 1
        let link = LinkID(client, linkCount[client, default: 1])
        accept(pipe, as: .relay(link, .client), at: now)
        tap?.name(pipe, link)
        inputs.append(.relay(.accepted(link)))
    }

    /// Handles the arrival of a ClientHello. The listener's accept mode may have become stricter since the SYN.
    mutating func clientHello(_ pipe: Int, at now: Instant) {
        let caller = callers[pipe]
        guard pipes[pipe].hasOwner[.caller], let client = caller.process else { return }
        switch pipes[pipe].decidingMode {
        case .dropping: return
        case .refusing: return refuse(pipe, at: now)
        case .open: break
        }
        let handshake = handshakes[client] ?? .completes(.valid)
        switch handshake {
        case .completes(let kind) where kind.isAcceptable: return accept(pipe, of: client, at: now)
        case .completes, .fails:
            failedHandshakes[pipe] = handshake
            schedule(.synAck(pipe: pipe, .tls), after: Self.hopLatency, at: now)
        case .stalls: break
        }
    }

    /// Establishes a pipe with `callee` as the accepting owner, and sends the SYN-ACK.
    private mutating func accept(_ pipe: Int, as callee: Owner, at now: Instant) {
        callees[pipe] = callee
        take(pipe, .callee, by: callee)
        pipes[pipe].established = true
        tap?.accept(pipe, at: now)
        let arrival = now + shifts.shifted(Self.hopLatency)
        pipes[pipe][readBy: .caller].lastArrival = arrival
        queue.push(.synAck(pipe: pipe, nil), at: arrival, tie: shifts.tie())
    }

    /// Handles the arrival of the SYN-ACK, or of the failure that replaces it.
    mutating func synAck(_ pipe: Int, _ failure: LinkFailure?, at now: Instant) {
        let caller = callers[pipe]
        guard pipes[pipe].hasOwner[.caller] else { return }
        if let failure {
            if failure == .tls { tap?.abandon(pipe, failedHandshakes[pipe], at: now) }
            leave(pipe, .caller)
            if let handshake = failedHandshakes.removeValue(forKey: pipe), let client = caller.process {
                inputs.append(.relay(.handshakeFailed(client, handshake)))
            }
            switch caller {
            case .connection(let id): inputs.append(.client(id.client, .connectFailed(id, failure)))
            case .exchange(let id):
                exchanges[id] = nil
                inputs.append(.client(id.client, .requestFailed(id, failure)))
            case .relay(let link, _): inputs.append(.relay(.upstreamFailed(link, failure)))
            case .server: break
            }
            return
        }
        switch caller {
        case .connection(let id): inputs.append(.client(id.client, .opened(id)))
        case .exchange(let id):
            if let bytes = exchanges[id]?.requestBytes { send(.bytes(bytes), pipe, from: .caller, at: now) }
        case .relay(let link, _): inputs.append(.relay(.upstreamOpened(link)))
        case .server: break
        }
    }
}
