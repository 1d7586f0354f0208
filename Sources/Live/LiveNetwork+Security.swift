import FakeServer
import Faults
import ReferenceClient
import ScenarioModel
import Sockets
import TLSLink

/// Performs TLS handshakes between a client and the relay, and between the relay and an external server.
extension LiveNetwork {
    /// Begins the TLS handshake of a client's connection after both ends have connected. The connection is reported
    /// once the handshake is complete.
    func secure(_ wire: Wire, _ callee: Connection, _ security: LiveSecurity) {
        guard let client = wire.caller.process else { return }
        let handshake = security.handshakes[client] ?? .completes(.valid)
        wire.shown = handshake
        do throws(TLSError) {
            switch handshake {
            // The connection counts as lost, like an unanswered connection attempt. The client waits until its own
            // timeout expires.
            case .stalls: return giveUp(wire, as: .lost)
            case .fails:
                wire.handshake = .doomed
                callee.write(Handshake.alert)
                callee.end(.fin)
            case .completes(let kind):
                // libcurl reports its part of the handshake only through the outcome of the exchange.
                let ends = wire.callerConnection == nil ? 1 : 2
                wire.handshake = kind.isAcceptable ? .underWay(ends: ends) : .doomed
                // libcurl may have sent its ClientHello before the accepted connection was matched with the exchange.
                // The bytes that arrived earlier are therefore passed to the session.
                let session = try security.server(showing: kind)
                callee.secure(session, early: wire.takeEarlyBytes()) { [weak self, weak wire] failure in
                    if let wire, failure == nil { self?.secured(wire) }
                }
            }
            try wire.callerConnection?.secure(security.client()) { [weak self, weak wire] failure in
                guard let self, let wire else { return }
                if failure == nil { secured(wire) } else { callFailed(wire, .tls) }
            }
        } catch {
            onFailure(.security(error))
        }
        exchanges?.turn()
    }

    /// Records that one end has completed its part of the handshake.
    private func secured(_ wire: Wire) {
        // If the client must reject the certificate, only the client determines the result of the handshake.
        guard wire.phase == .connecting, case .underWay(let ends) = wire.handshake else { return }
        wire.handshake = ends > 1 ? .underWay(ends: ends - 1) : .done
        if wire.handshake == .done { establishReady(like: wire.caller) }
    }

    /// Reports a client's failed handshake to the relay before the client is notified of the failure.
    func emitHandshakeFailed(_ wire: Wire) {
        guard let client = wire.caller.process, let shown = wire.shown else { return }
        onInput(.relay(.handshakeFailed(client, shown)))
    }

    /// Performs the TLS handshake with an external server. Calls `open` once it is complete, or reports its failure.
    func secureUpstream(
        _ wire: Wire,
        _ link: LinkID,
        _ connection: Connection,
        _ host: String,
        _ open: @escaping () -> Void
    ) {
        guard let security else { return }
        let fail = { [weak self, weak wire, weak connection] in
            guard let self, let wire, wireOf[wire.caller] === wire else { return }
            wireOf[wire.caller] = nil
            connection?.onEvent = { _ in }
            connection?.end(.rst)
            onInput(.relay(.upstreamFailed(link, .tls)))
        }
        connection.onEvent = { event in if case .ended = event { fail() } }
        do throws(TLSError) {
            connection.secure(try security.client(of: host)) { failure in
                if failure == nil { open() } else { fail() }
            }
        } catch {
            onFailure(.security(error))
        }
    }
}
