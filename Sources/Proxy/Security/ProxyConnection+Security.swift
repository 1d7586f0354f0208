import Faults
import Sockets
import SquallCore
import TLSLink

/// How TLS ends at the proxy, on either side: the link between the sides sees plaintext alone.
///
/// A fault that silences a socket silences its handshake too; all other faults act on what is in the channel.
extension ProxyConnection {
    func beginSecurity() {
        guard let plan = proxy.tls else { return }
        security = ConnectionSecurity(plan)
        client.isSecured = plan.terminates
    }

    // MARK: - Bytes

    /// What a secured socket has brought.
    func unseal(_ bytes: UnsafeRawBufferPointer, from side: LinkSide) {
        if let session = self[side].tls {
            take(session.receive(bytes), from: side)
        } else if side == .client, var hello = security?.hello {
            hello += bytes
            security?.hello = hello
            switch ClientHello.look(at: hello) {
            case .undecided: break
            case .notTLS: handshakeFailed(.client, .notTLS)
            case .hello(let said): answer(said, hello)
            }
        }
        // What comes while a handshake is left without an answer is nobody's.
    }

    /// Plaintext for a secured socket. The link has nothing for one whose handshake has not been.
    func seal(_ bytes: UnsafeRawBufferPointer, to side: LinkSide) {
        guard let session = self[side].tls else { return }
        take(session.write(bytes), from: side)
    }

    func sendCloseNotify(to side: LinkSide) {
        guard let session = self[side].tls, session.isSecured else { return }
        take(session.endOutput(), from: side)
    }

    private func take(_ outputs: [TLSOutput], from side: LinkSide) {
        for output in outputs {
            switch output {
            case .wire(let bytes): bytes.withUnsafeBytes { send($0, to: side) }
            case .plaintext(let bytes): bytes.withUnsafeBytes { pass($0, from: side) }
            case .secured: secured(side)
            case .ended: ended(side, .fin)
            case .failed(let failure):
                if isAwaited(side) { handshakeFailed(side, failure) } else { truncated(side) }
            }
        }
    }

    private func isAwaited(_ side: LinkSide) -> Bool {
        (side == .client ? security?.awaitsClient : security?.awaitsUpstream) == true
    }

    // MARK: - Handshakes

    private func answer(_ hello: ClientHello, _ bytes: [UInt8]) {
        security?.hello = nil
        security?.serverName = hello.serverName
        updateFacts { $0.serverName = hello.serverName }
        if gate?.awaitsOnlyHandshake == true { openGate(nil) }
        let handshake = link.handshake(under: proxy.appliedFaults(for: self))
        switch handshake {
        case .stalls:
            proxy.emit(.handshakeFailed(.client, handshake.name), of: self)
            security?.hasStalled = true
        case .fails:
            Handshake.alert.withUnsafeBytes { send($0, to: .client) }
            handshakeFailed(.client, TLSFailure(reason: handshake.name))
        case .completes(let kind):
            do {
                let session = try proxy.serverSession(for: hello, showing: kind)
                client.tls = session
                take(session.start(), from: .client)
                bytes.withUnsafeBytes { take(session.receive($0), from: .client) }
            } catch {
                proxy.report(error)
                handshakeFailed(.client, TLSFailure(reason: "no_certificate"))
            }
        }
    }

    /// The upstream's connection stands: now for its handshake.
    func secureUpstream() {
        guard let plan = security?.plan.upstream else { return }
        security?.awaitsUpstream = true
        server.isSecured = true
        do {
            let session = try proxy.clientSession(plan)
            server.tls = session
            take(session.start(), from: .server)
        } catch {
            proxy.report(error)
            handshakeFailed(.server, TLSFailure(reason: "no_session"))
        }
    }

    private func secured(_ side: LinkSide) {
        proxy.emit(.secured(side, serverName: side == .client ? security?.serverName : nil), of: self)
        switch side {
        case .client:
            security?.awaitsClient = false
            if security?.isUpstreamHeld == true { dial() }
        case .server:
            security?.awaitsUpstream = false
            perform(link.upstreamOpened(at: reactor.now))
            // What the client has sent was left with the kernel until now.
            reactor.requeue(client.token)
        }
    }

    private func handshakeFailed(_ side: LinkSide, _ failure: TLSFailure) {
        proxy.emit(.handshakeFailed(side, failure.reason), of: self)
        switch side {
        case .client:
            security?.hello = nil
            client.tls = nil
            perform(link.ended(.client, .rst, at: reactor.now))
            shut()
        case .server:
            security?.awaitsUpstream = false
            // Behind the alert that says why.
            server.socket?.endOutput()
            discard(.server)
            proxy.emit(.upstreamFailed(.tls), of: self)
            perform(link.upstreamFailed(at: reactor.now))
        }
    }

    // MARK: - Ends

    /// The socket has ended, in whatever way. After close_notify nobody reads, so something is missing.
    func securedSocketEnded(_ side: LinkSide) {
        if let session = self[side].tls {
            take(session.inputEnded(), from: side)
        } else if side == .client, security?.hasStalled == true {
            // It was told when it stalled.
            ended(.client, .rst)
        } else if side == .client {
            handshakeFailed(.client, .endOfStream)
        }
    }

    /// Whoever is behind must not take what came for all there was.
    private func truncated(_ side: LinkSide) {
        proxy.emit(.truncated(side), of: self)
        ended(side, .rst)
    }
}
