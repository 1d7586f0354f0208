import FakeServer
import Faults
import ReferenceClient
import ScenarioModel
import Sockets
import TLSLink

/// TLS between a client and the relay, and between the relay and somebody else's server.
extension LiveNetwork {
    /// Both ends of a client's call stand: now for the handshake. Nobody is told of the call before it is done.
    func secure(_ wire: Wire, _ callee: Connection, _ security: LiveSecurity) {
        guard let client = wire.caller.process else { return }
        let handshake = security.handshakes[client] ?? .completes(.valid)
        wire.shown = handshake
        do throws(TLSError) {
            switch handshake {
            // Lost like a call that nobody answers: the client waits as long as it likes.
            case .stalls: return giveUp(wire, as: .lost)
            case .fails:
                wire.handshake = .doomed
                callee.write(Handshake.alert)
                callee.end(.fin)
            case .completes(let kind):
                // libcurl tells by its answer how its end fared.
                let ends = wire.callerConnection == nil ? 1 : 2
                wire.handshake = kind.isAcceptable ? .underWay(ends: ends) : .doomed
                // It says hello as soon as its end stands.
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

    /// One end has done its part of the handshake.
    private func secured(_ wire: Wire) {
        // What a client makes of a bad certificate, it tells itself.
        guard wire.phase == .calling, case .underWay(let ends) = wire.handshake else { return }
        wire.handshake = ends > 1 ? .underWay(ends: ends - 1) : .done
        if wire.handshake == .done { meetReady(like: wire.caller) }
    }

    /// What came of a client's handshake, told before the client learns of it.
    func emitHandshakeFailed(_ wire: Wire) {
        guard let client = wire.caller.process, let shown = wire.shown else { return }
        onInput(.relay(.handshakeFailed(client, shown)))
    }

    /// The server's connection stands: it is opened for the relay once its handshake is done.
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
