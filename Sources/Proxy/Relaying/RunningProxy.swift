import Faults
import Sockets
import SquallCore

/// One proxy of a server: its listener, settings and toxics, and one ``ProxyWorker`` per thread for its connections.
///
/// Confined to the API's thread.
final class RunningProxy {
    var name: String { settings.name }
    /// The listen address as given; after the first start, it contains the port that the kernel chose.
    var listen: String
    var chain: ToxicChain {
        get { settings.chain }
        set { settings.chain = newValue }
    }
    /// The number of connections accepted so far, which is also the number of the latest connection.
    private(set) var accepted = 0
    var isEnabled: Bool { listener != nil || hasDatagrams }

    /// The TCP or Unix listener; nil while the proxy is disabled, and for a UDP proxy.
    var listener: ListeningSocket?
    /// Whether one of the workers relays a UDP port for this proxy.
    private var hasDatagrams = false
    /// Whether the caller bound the proxy's socket, perhaps in another network namespace.
    private(set) var isAdopted = false
    let reactor: Reactor
    let onEvent: (ProxyEvent.Kind, Int?) -> Void
    var token: UInt64 = 0
    private(set) var settings: ProxyWorker.Settings
    /// The worker on the API's own thread.
    let localWorker: ProxyWorker
    private let pool: WorkerPool
    /// The proxy's id on the worker threads.
    private let id: Int
    private var traffic: [Traffic] = []

    init(
        _ settings: ProxyWorker.Settings,
        listen: String,
        pool: WorkerPool? = nil,
        on reactor: Reactor,
        onEvent: @escaping (ProxyEvent.Kind, Int?) -> Void
    ) {
        let pool = pool ?? WorkerPool()
        self.settings = settings
        self.listen = listen
        self.pool = pool
        self.reactor = reactor
        self.onEvent = onEvent
        id = pool.nextNumber()
        localWorker = ProxyWorker(settings, on: reactor, traffic: Traffic(), load: pool.localLoad, onEvent: onEvent)
        traffic = [localWorker.traffic]
        token = reactor.register(self)
        for worker in pool.workers {
            let counted = Traffic()
            traffic.append(counted)
            worker.post { [id] in $0.open(id, settings, counted) }
        }
    }

    var upstream: String { settings.upstream }
    var readsProtocol: Bool { settings.readsProtocol }
    var tls: TLSPlan? { settings.tls }

    // MARK: - Workers

    /// Runs `task` on every worker: on this thread immediately, on the others after all tasks posted earlier.
    func onEveryWorker(_ task: @escaping @Sendable (ProxyWorker) -> Void) {
        assert(reactor.isConfined)
        task(localWorker)
        for worker in pool.workers {
            worker.post { [id] proxyWorkers in
                if let proxyWorker = proxyWorkers[id] { task(proxyWorker) }
            }
        }
    }

    /// Passes the settings to every worker, and runs `task` on each worker after that.
    func onEveryWorker(
        taking settings: ProxyWorker.Settings,
        _ task: @escaping @Sendable (ProxyWorker) -> Void = { _ in }
    ) {
        onEveryWorker { proxyWorker in
            proxyWorker.take(settings)
            task(proxyWorker)
        }
    }

    /// Passes a bound UDP socket to the least loaded worker, which relays it until the proxy stops.
    private func relayDatagrams(at socket: SystemSocket) {
        hasDatagrams = true
        listen = "udp:\(socket.localAddress?.description ?? "")"
        let index = pool.leastLoaded()
        guard index > 0 else {
            localWorker.relayDatagrams(at: socket)
            return
        }
        pool.workers[index - 1].post { [id] in $0[id]?.relayDatagrams(at: socket) }
    }

    /// Numbers an accepted connection and passes it to the least loaded worker.
    private func accept(_ socket: SystemSocket, from client: SystemAddress) {
        accepted += 1
        let number = accepted
        onEvent(.accepted(from: client), number)
        let index = pool.leastLoaded()
        traffic[index].opened()
        guard index > 0 else {
            localWorker.carry(socket, from: client, number: number)
            return
        }
        pool.workers[index - 1].post { [id] in $0.carry(socket, from: client, number: number, for: id) }
    }

    /// The number of bytes received and sent in each direction since the proxy was created.
    var upstreamCount: Traffic.Count { sum(\.upstream) }
    var downstreamCount: Traffic.Count { sum(\.downstream) }
    /// The number of currently open connections.
    var open: Int { traffic.reduce(0) { $0 + $1.open } }

    private func sum(_ count: (Traffic) -> Traffic.Count) -> Traffic.Count {
        traffic.map(count).reduce(into: Traffic.Count()) { sum, count in
            sum.received += count.received
            sum.sent += count.sent
        }
    }

    // MARK: - Listening

    /// Enables the proxy: starts listening unless it is already listening.
    ///
    /// - Throws: ``APIError`` if the address is malformed or cannot be bound.
    func start() throws(APIError) {
        guard !isEnabled else { return }
        if let endpoint = try? Endpoint(listen), endpoint.isDatagram {
            do {
                relayDatagrams(at: try DatagramRelay.bind(endpoint, knowing: reactor.names))
            } catch {
                throw .noListener("\(error)")
            }
            onEvent(.listening(listen), nil)
            return
        }
        let opened = try open(listen)
        listener = opened
        listen = opened.address
        setAcceptMode()
        onEvent(.listening(opened.address), nil)
    }

    /// Enables the proxy on a socket that the caller has bound.
    func start(adopting socket: SystemSocket, isDatagram: Bool) {
        isAdopted = true
        if isDatagram {
            relayDatagrams(at: socket)
        } else {
            let opened = ListeningSocket(
                adopting: socket,
                on: reactor,
                onFailure: { [weak self] in self?.report($0) },
                onAccept: { [weak self] in self?.accept($0, from: $1) }
            )
            listener = opened
            listen = opened.address
            setAcceptMode()
        }
        onEvent(.listening(listen), nil)
    }

    /// Creates a listener on `address`.
    ///
    /// - Throws: ``APIError`` if the address is malformed or cannot be bound.
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
                onFailure: { [weak self] in self?.report($0) },
                onAccept: { [weak self] in self?.accept($0, from: $1) }
            )
        } catch {
            throw .noListener("\(error)")
        }
    }

    /// Disables the proxy: closes the listener and ends all connections.
    func stop() {
        guard isEnabled else { return }
        listener?.close()
        listener = nil
        if hasDatagrams { onEveryWorker { $0.endDatagrams() } }
        hasDatagrams = false
        endAll()
        onEvent(.stopped, nil)
    }

    func endAll() {
        onEveryWorker { $0.endAll() }
    }

    /// Stops the proxy and removes it from its reactor and all workers.
    func remove() {
        stop()
        reactor.forget(token)
        for worker in pool.workers { worker.post { [id] in $0.forget(id) } }
    }

    /// Changes the address, settings and enabled state. If the new address cannot be bound, nothing changes.
    ///
    /// - Throws: ``APIError`` if the new address is malformed or cannot be bound.
    func update(listen newListen: String, _ new: ProxyWorker.Settings, isEnabled: Bool) throws(APIError) {
        let endpoint: Endpoint
        do {
            endpoint = try Endpoint(newListen)
        } catch {
            throw .noListener("\(error)")
        }
        let moves = (try? Endpoint(listen).hasSameAddress(as: endpoint)) != true
        // Operations that can fail come first, so that a failure leaves the proxy unchanged.
        if !moves {
            if isEnabled { try start() }
        } else if listener != nil, isEnabled, !endpoint.isDatagram {
            try move(to: newListen)
        } else {
            let (old, wasEnabled) = (listen, self.isEnabled)
            stop()
            listen = newListen
            do {
                if isEnabled { try start() }
            } catch {
                listen = old
                if wasEnabled { try? start() }
                throw error
            }
        }
        // Existing connections still use the previous upstream, protocol or TLS plan, so they are ended.
        if moves || new.upstream != upstream || new.readsProtocol != readsProtocol || new.tls != tls {
            let leadsElsewhere = new.upstream != upstream
            settings = new
            onEveryWorker(taking: settings) { $0.endAll() }
            if leadsElsewhere { checkUpstream() }
        }
        if !isEnabled { stop() }
    }

    /// Replaces the listener with one at a new address. If that fails, the proxy listens at the previous address again.
    func move(to address: String) throws(APIError) {
        let old = listener
        do {
            listener = try open(address)
            old?.close()
        } catch {
            // The previous listener may conflict with the new one, as 127.0.0.1:80 does with 0.0.0.0:80.
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
        setAcceptMode()
        onEvent(.listening(listen), nil)
    }

    /// Sets the accept mode that the toxics require.
    func setAcceptMode() {
        do {
            try listener?.set(chain.acceptMode)
        } catch {
            report(error)
        }
    }

    /// Warns about an upstream address to which no connection can succeed. It is not treated as an error, because
    /// Toxiproxy accepts such addresses.
    func checkUpstream() {
        if let why = Endpoint.whyUnreachable(upstream) { onEvent(.problem("upstream \(upstream): \(why)"), nil) }
    }

    func report(_ error: any Error) { onEvent(.problem("\(error)"), nil) }

    /// The proxy's JSON representation in the API.
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
