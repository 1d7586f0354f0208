import Faults
import Sockets
import SquallCore
import TLSLink

/// The TLS sessions that the proxy terminates or originates. The link between the two sides carries plaintext only.
///
/// A fault that stops reads from or writes to a socket also affects its handshake; all other faults act on the
/// plaintext.
extension ProxyConnection {
    /// Prepares the TLS state of a new connection, if its proxy has a TLS plan.
    func beginSecurity() {
        guard let plan = proxy.tls else { return }
        security = ConnectionSecurity(plan)
        client.isSecured = plan.terminates
    }

    // MARK: - Bytes

    /// Decrypts bytes from a TLS socket, or buffers them until the client's ClientHello is complete.
    func decrypt(_ bytes: UnsafeRawBufferPointer, from side: LinkSide) {
        if let session = self[side].tls {
            take(session.receive(bytes), from: side)
        } else if side == .client, var hello = security?.hello {
            hello += bytes
            security?.hello = hello
            switch ClientHello.parse(hello) {
            case .undecided: break
            case .notTLS: handshakeFailed(.client, .notTLS)
            case .hello(let said): answer(said, hello)
            }
        }
        // Once a fault has stalled the handshake, further bytes are discarded.
    }

    /// Encrypts plaintext and sends it to a TLS socket. The link produces no plaintext until the handshake is complete.
    func encrypt(_ bytes: UnsafeRawBufferPointer, to side: LinkSide) {
        guard let session = self[side].tls else { return }
        take(session.write(bytes), from: side)
    }

    /// Sends close_notify if the handshake is complete.
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

    /// Returns whether the handshake with this side is still incomplete.
    private func isAwaited(_ side: LinkSide) -> Bool {
        (side == .client ? security?.awaitsClient : security?.awaitsUpstream) == true
    }

    // MARK: - Handshakes

    /// Responds to a complete ClientHello with a certificate for the requested host, or as the connection's faults
    /// require.
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

    /// Starts the handshake with the connected upstream.
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

    /// Handles a completed handshake.
    private func secured(_ side: LinkSide) {
        proxy.emit(.tlsEstablished(side, serverName: side == .client ? security?.serverName : nil), of: self)
        switch side {
        case .client:
            security?.awaitsClient = false
            if security?.isUpstreamHeld == true { dial() }
        case .server:
            security?.awaitsUpstream = false
            perform(link.upstreamOpened(at: reactor.now))
            // Until now, the client's bytes have been left unread in the kernel.
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
            // Send the FIN after the TLS alert that states the reason.
            server.socket?.endOutput()
            discard(.server)
            proxy.emit(.upstreamFailed(.tls), of: self)
            perform(link.upstreamFailed(at: reactor.now))
        }
    }

    // MARK: - End of stream

    /// Handles a FIN or RST on a TLS socket. A stream that ends without close_notify is incomplete.
    func securedSocketEnded(_ side: LinkSide) {
        if let session = self[side].tls {
            take(session.inputEnded(), from: side)
        } else if side == .client, security?.hasStalled == true {
            // The TLS failure was already reported when the handshake stalled.
            ended(.client, .rst)
        } else if side == .client {
            handshakeFailed(.client, .endOfStream)
        }
    }

    /// Resets the other side after a truncated stream, so that its peer does not treat the data as complete.
    private func truncated(_ side: LinkSide) {
        proxy.emit(.truncated(side), of: self)
        ended(side, .rst)
    }
}
