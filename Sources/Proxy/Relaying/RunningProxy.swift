import Faults
import Foundations
import Sockets
import TLSLink

/// A proxy: where it listens, where it leads, its toxics, and every connection through it.
///
/// Confined to its reactor's thread.
final class RunningProxy {
    /// Bytes in one direction since the proxy was made.
    struct Count: Hashable, Sendable {
        var received: UInt64 = 0
        var sent: UInt64 = 0
    }

    let name: String
    /// The name under which links draw their chance.
    let identity: ClientID
    /// As given until it first listens, from then on with the port that it got.
    var listen: String
    var upstream: String
    /// Whether its connections are read as HTTP/1.1 and WebSocket.
    let readsProtocol: Bool
    /// What TLS of its connections ends here; nil: none, all bytes pass as they are.
    let tls: TLSPlan?
    private let certificates: Certificates
    var chain = ToxicChain()
    var upstreamCount = Count()
    var downstreamCount = Count()
    var accepted = 0
    var conduits: [Int: Conduit] = [:]
    var isEnabled: Bool { listener != nil || datagrams != nil }

    /// Where its sockets to the upstream come from; they never block.
    var makeStream: (Int32) throws(SocketError) -> SystemSocket = { family throws(SocketError) in
        try SystemSocket.stream(family)
    }

    var listener: ListeningSocket?
    var datagrams: DatagramRelay?
    var upstreamEndpoint: Endpoint?
    var upstreamNumeric: [SystemAddress]?
    let reactor: Reactor
    let seed: Seed
    let onEvent: (ProxyEvent.Kind, Int?, RunningProxy) -> Void
    var token: UInt64 = 0

    init(
        _ name: String,
        listen: String,
        upstream: String,
        readsProtocol: Bool = false,
        tls: TLSPlan? = nil,
        certificates: Certificates = Certificates(in: nil),
        seed: Seed,
        on reactor: Reactor,
        onEvent: @escaping (ProxyEvent.Kind, Int?, RunningProxy) -> Void
    ) {
        self.name = name
        identity = ClientID(name)
        self.listen = listen
        self.upstream = upstream
        self.readsProtocol = readsProtocol
        self.tls = tls
        self.certificates = certificates
        self.seed = seed
        self.reactor = reactor
        self.onEvent = onEvent
        takeUpstream()
        token = reactor.register(self)
    }

    func takeUpstream() {
        upstreamEndpoint = try? Endpoint(upstream)
        upstreamNumeric = upstreamEndpoint?.numeric()
    }

    // MARK: - Listening

    /// Nothing where it listens already.
    func start() throws(APIError) {
        guard !isEnabled else { return }
        if let endpoint = try? Endpoint(listen), endpoint.isDatagram {
            do {
                let opened = try DatagramRelay(at: endpoint, for: self, on: reactor)
                datagrams = opened
                listen = opened.address
            } catch {
                throw .noListener("\(error)")
            }
            onEvent(.listening(listen), nil, self)
            return
        }
        let opened = try open(listen)
        listener = opened
        listen = opened.address
        setDoor()
        onEvent(.listening(opened.address), nil, self)
    }

    /// Goes on where somebody else has bound a socket.
    func start(adopting socket: SystemSocket, isDatagram: Bool) throws(SocketError) {
        if isDatagram {
            let opened = try DatagramRelay(adopting: socket, for: self, on: reactor)
            datagrams = opened
            listen = opened.address
        } else {
            let opened = ListeningSocket(
                adopting: socket,
                on: reactor,
                onFailure: { [weak self] in self?.complain($0) },
                onAccept: { [weak self] in self?.accept($0, from: $1) }
            )
            listener = opened
            listen = opened.address
            setDoor()
        }
        onEvent(.listening(listen), nil, self)
    }

    func open(_ address: String) throws(APIError) -> ListeningSocket {
        let endpoint: Endpoint
        do {
            endpoint = try Endpoint(address)
        } catch {
            throw .noListener("listen tcp: \(error)")
        }
        do {
            return try ListeningSocket(
                at: endpoint,
                on: reactor,
                onFailure: { [weak self] in self?.complain($0) },
                onAccept: { [weak self] in self?.accept($0, from: $1) }
            )
        } catch {
            throw .noListener("\(error)")
        }
    }

    /// Refuses new connections and ends those that stand.
    func stop() {
        guard isEnabled else { return }
        listener?.close()
        listener = nil
        datagrams?.close()
        datagrams = nil
        endAll()
        onEvent(.stopped, nil, self)
    }

    func endAll() {
        for conduit in inOrder { conduit.shut() }
    }

    /// Gone for good: nothing of it lives on.
    func remove() {
        stop()
        reactor.forget(token)
    }

    /// Moves it; where the new address cannot be had it goes on as it was.
    func update(listen newListen: String, upstream newUpstream: String, isEnabled: Bool) throws(APIError) {
        let endpoint: Endpoint
        do {
            endpoint = try Endpoint(newListen)
        } catch {
            throw .noListener("\(error)")
        }
        let moves = newListen != listen && endpoint.numeric()?.first != (try? Endpoint(listen).numeric())?.first
        if moves || newUpstream != upstream {
            if moves {
                if listener != nil, isEnabled, !endpoint.isDatagram {
                    try move(to: newListen)
                } else {
                    stop()
                    listen = newListen
                }
            }
            upstream = newUpstream
            takeUpstream()
            endAll()
        }
        if isEnabled { try start() } else { stop() }
    }

    func move(to address: String) throws(APIError) {
        let old = listener
        do {
            listener = try open(address)
            old?.close()
        } catch {
            // The one may stand in the other's way: all addresses of a port against one of them.
            old?.close()
            listener = nil
            do {
                listener = try open(address)
            } catch {
                let failure = error
                try? start()
                throw failure
            }
        }
        listen = listener?.address ?? address
        setDoor()
        onEvent(.listening(listen), nil, self)
    }

    func setDoor() {
        do {
            try listener?.set(chain.door)
        } catch {
            complain(error)
        }
    }

    func accept(_ socket: SystemSocket, from client: SystemAddress) {
        accepted += 1
        let conduit = Conduit(socket, from: client, number: accepted, of: self, on: reactor)
        conduits[accepted] = conduit
        onEvent(.accepted(from: client), accepted, self)
        do {
            try conduit.begin()
        } catch {
            complain(error)
            socket.resetOnClose()
            conduit.close()
        }
    }

    /// In the order in which they came: what is done to all is told in one order.
    var inOrder: [Conduit] { conduits.sorted { $0.key < $1.key }.map(\.value) }

    // MARK: - For its conduits

    /// Nil where the name must be looked up.
    func upstreamAddresses() -> [SystemAddress]? { upstreamNumeric }

    /// The proxy's end of a client's connection.
    func serverSession(for hello: ClientHello, showing kind: CertificateKind) throws(TLSError) -> any TLSSession {
        try certificates.session(as: tls?.names(for: hello) ?? [], showing: kind)
    }

    /// The proxy's end of a connection to the upstream.
    func clientSession(_ plan: TLSPlan.Upstream) throws(TLSError) -> any TLSSession {
        try TLS.client(of: plan.serverName ?? upstreamEndpoint?.host ?? "", trusting: plan.trust)
    }

    func lookUp(for token: UInt64) {
        guard let upstreamEndpoint else {
            let error = AddressError("address \(upstream): missing port in address")
            reactor.mailbox.post(.resolved(token, .failure(error)))
            return
        }
        reactor.resolver.resolve(upstreamEndpoint, for: token)
    }

    func count(received count: Int, from side: LinkSide) {
        if side == .client {
            upstreamCount.received += UInt64(count)
        } else {
            downstreamCount.received += UInt64(count)
        }
    }

    func count(sent count: Int, to side: LinkSide) {
        if side == .client { downstreamCount.sent += UInt64(count) } else { upstreamCount.sent += UInt64(count) }
    }

    func tell(_ kind: ProxyEvent.Kind, of conduit: Conduit) { onEvent(kind, conduit.number, self) }
    func tellDatagrams(from client: String, session: Int) { onEvent(.datagrams(from: client), session, self) }
    func complain(_ error: any Error) { onEvent(.trouble("\(error)"), nil, self) }

    func finished(_ conduit: Conduit) {
        guard conduits.removeValue(forKey: conduit.number) != nil else { return }
        onEvent(.closed(toServer: conduit.server.sent, toClient: conduit.client.sent), conduit.number, self)
    }

    var json: JSON {
        var json: JSON = [
            "name": .string(name), "listen": .string(listen), "upstream": .string(upstream),
            "enabled": .bool(isEnabled), "toxics": .array(chain.listed.map(\.json)),
        ]
        if readsProtocol { json.set("protocol", to: "http") }
        if let tls { json.set("tls", to: tls.source) }
        return json
    }
}
