import Faults
import Foundations
import Sockets

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
    private(set) var listen: String
    private(set) var upstream: String
    /// Whether its connections are read as HTTP/1.1 and WebSocket.
    let readsProtocol: Bool
    private(set) var chain = ToxicChain()
    private(set) var upstreamCount = Count()
    private(set) var downstreamCount = Count()
    private(set) var accepted = 0
    private(set) var conduits: [Int: Conduit] = [:]
    var isEnabled: Bool { listener != nil || datagrams != nil }

    private var listener: ListeningSocket?
    private var datagrams: DatagramRelay?
    private var upstreamEndpoint: Endpoint?
    private var upstreamNumeric: [SystemAddress]?
    private let reactor: Reactor
    private let seed: Seed
    private let onEvent: (ProxyEvent.Kind, Int?, RunningProxy) -> Void
    private var token: UInt64 = 0

    init(
        _ name: String,
        listen: String,
        upstream: String,
        readsProtocol: Bool = false,
        seed: Seed,
        on reactor: Reactor,
        onEvent: @escaping (ProxyEvent.Kind, Int?, RunningProxy) -> Void
    ) {
        self.name = name
        identity = ClientID(name)
        self.listen = listen
        self.upstream = upstream
        self.readsProtocol = readsProtocol
        self.seed = seed
        self.reactor = reactor
        self.onEvent = onEvent
        takeUpstream()
        token = reactor.register(self)
    }

    private func takeUpstream() {
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

    private func open(_ address: String) throws(APIError) -> ListeningSocket {
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
                onAccept: { [weak self] in self?.accept($0) }
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

    private func move(to address: String) throws(APIError) {
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

    private func setDoor() {
        do {
            try listener?.set(chain.door)
        } catch {
            complain(error)
        }
    }

    private func accept(_ socket: SystemSocket) {
        accepted += 1
        let conduit = Conduit(socket, number: accepted, of: self, on: reactor)
        conduits[accepted] = conduit
        onEvent(.accepted(socket), accepted, self)
        do {
            try conduit.begin()
        } catch {
            complain(error)
            socket.resetOnClose()
            conduit.close()
        }
    }

    /// In the order in which they came: what is done to all is told in one order.
    private var inOrder: [Conduit] { conduits.sorted { $0.key < $1.key }.map(\.value) }

    // MARK: - For its conduits

    /// Nil where the name must be looked up.
    func upstreamAddresses() -> [SystemAddress]? { upstreamNumeric }

    func lookUp(for token: UInt64) {
        guard let upstreamEndpoint else {
            let error = AddressError("address \(upstream): missing port in address")
            reactor.mailbox.post(.resolved(token, .failure(error)))
            return
        }
        Resolver.resolve(upstreamEndpoint, for: token, telling: reactor.mailbox)
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

    // MARK: - Toxics

    func add(_ toxic: Toxic) {
        let entry = chain.append(toxic, at: reactor.now)
        setDoor()
        onEvent(.toxic("added", toxic), nil, self)
        begin(entry)
        if let turns = entry.turns { reactor.schedule(token, at: turns) }
    }

    func update(_ name: String, to toxic: Toxic) {
        guard let place = chain.place(of: name) else { return }
        let entry = chain.replace(place, with: toxic)
        setDoor()
        onEvent(.toxic("updated", toxic), nil, self)
        guard let affliction = affliction(entry) else { return }
        for conduit in inOrder where toxic.selects(conduit.facts) { conduit.adjust(affliction) }
    }

    func removeToxic(_ name: String) {
        guard let place = chain.place(of: name) else { return }
        let entry = chain.remove(place)
        setDoor()
        onEvent(.toxic("removed", entry.toxic), nil, self)
        for conduit in inOrder { conduit.end(entry.number) }
    }

    private func begin(_ entry: ToxicChain.Entry) {
        guard let affliction = affliction(entry) else { return }
        for conduit in inOrder where entry.toxic.selects(conduit.facts) { conduit.begin(affliction) }
    }

    /// Whether a connection's first request must be known before it is known what it meets.
    var readsRequests: Bool { readsProtocol || chain.entries.contains { $0.toxic.only?.needsRequest == true } }

    /// What a new connection meets, in order.
    func afflictions(for facts: Selector.Facts) -> [SoleLink.Affliction] {
        chain.entries.filter { $0.toxic.selects(facts) }.compactMap { affliction($0) }
    }

    private func affliction(_ entry: ToxicChain.Entry) -> SoleLink.Affliction? {
        guard let fault = entry.fault else { return nil }
        let chance = "toxic.\(entry.toxic.name).\(entry.updates)"
        return SoleLink.Affliction(number: entry.number, fault: fault, seed: seed, chance: chance)
    }

    var json: JSON {
        var json: JSON = [
            "name": .string(name), "listen": .string(listen), "upstream": .string(upstream),
            "enabled": .bool(isEnabled), "toxics": .array(chain.listed.map(\.json)),
        ]
        if readsProtocol { json.set("protocol", to: "http") }
        return json
    }
}

extension RunningProxy: Watcher {
    func ready(_ tag: Int, _ readiness: Readiness) {}

    /// A flap turns.
    func due(_ tag: Int) {
        let now = reactor.now
        for entry in chain.entries {
            guard let due = entry.turns, due <= now, let place = chain.place(of: entry.toxic.name) else { continue }
            let turned = chain.turn(place)
            setDoor()
            onEvent(.toxic(turned.isDown ? "down" : "up", turned.toxic), nil, self)
            begin(turned)
            if let turns = turned.turns { reactor.schedule(token, at: turns) }
        }
    }
}
