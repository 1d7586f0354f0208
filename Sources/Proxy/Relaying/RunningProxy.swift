import Faults
import Sockets
import SquallCore

/// A proxy: where it listens, where it leads, its toxics, and the lanes that carry its connections.
///
/// Confined to the thread that has the API.
final class RunningProxy {
    var name: String { settings.name }
    /// As given until it first listens, from then on with the port that it got.
    var listen: String
    var chain: ToxicChain {
        get { settings.chain }
        set { settings.chain = newValue }
    }
    /// Connections so far, which their numbers count.
    private(set) var accepted = 0
    var isEnabled: Bool { listener != nil || hasDatagrams }

    var listener: ListeningSocket?
    /// Whether one of its lanes carries a UDP port.
    private var hasDatagrams = false
    /// Somebody else has bound its socket.
    private(set) var isAdopted = false
    let reactor: Reactor
    let onEvent: (ProxyEvent.Kind, Int?) -> Void
    var token: UInt64 = 0
    private(set) var settings: ProxyWorker.Settings
    /// On this thread.
    let localWorker: ProxyWorker
    private let pool: WorkerPool
    /// By which workers know it.
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

    // MARK: - Its lanes

    /// Does something on every lane: here at once, elsewhere behind what was posted before.
    func onEveryWorker(_ task: @escaping @Sendable (ProxyWorker) -> Void) {
        task(localWorker)
        for worker in pool.workers {
            worker.post { [id] proxyWorkers in
                if let proxyWorker = proxyWorkers[id] { task(proxyWorker) }
            }
        }
    }

    /// Every lane goes by the settings as they are now, before it does this.
    func onEveryWorker(
        taking settings: ProxyWorker.Settings,
        _ task: @escaping @Sendable (ProxyWorker) -> Void = { _ in }
    ) {
        onEveryWorker { proxyWorker in
            proxyWorker.take(settings)
            task(proxyWorker)
        }
    }

    /// A UDP port is one thread's as long as it stands: the one that carries fewest when it is opened.
    private func carryDatagrams(at socket: SystemSocket) {
        hasDatagrams = true
        listen = "udp:\(socket.localAddress?.description ?? "")"
        let place = pool.leastLoaded()
        guard place > 0 else {
            localWorker.carryDatagrams(at: socket)
            return
        }
        pool.workers[place - 1].post { [id] in $0[id]?.carryDatagrams(at: socket) }
    }

    private func accept(_ socket: SystemSocket, from client: SystemAddress) {
        accepted += 1
        let number = accepted
        onEvent(.accepted(from: client), number)
        let place = pool.leastLoaded()
        traffic[place].opened()
        guard place > 0 else {
            localWorker.carry(socket, from: client, number: number)
            return
        }
        pool.workers[place - 1].post { [id] in $0.carry(socket, from: client, number: number, for: id) }
    }

    /// Bytes in each direction since the proxy was made.
    var upstreamCount: Traffic.Count { sum(\.upstream) }
    var downstreamCount: Traffic.Count { sum(\.downstream) }
    /// Connections that stand.
    var open: Int { traffic.reduce(0) { $0 + $1.open } }

    private func sum(_ count: (Traffic) -> Traffic.Count) -> Traffic.Count {
        traffic.map(count).reduce(into: Traffic.Count()) { sum, count in
            sum.received += count.received
            sum.sent += count.sent
        }
    }

    // MARK: - Listening

    /// Nothing where it listens already.
    func start() throws(APIError) {
        guard !isEnabled else { return }
        if let endpoint = try? Endpoint(listen), endpoint.isDatagram {
            do {
                carryDatagrams(at: try DatagramRelay.bind(endpoint, knowing: reactor.names))
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

    /// Goes on where somebody else has bound a socket.
    func start(adopting socket: SystemSocket, isDatagram: Bool) {
        isAdopted = true
        if isDatagram {
            carryDatagrams(at: socket)
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

    /// Refuses new connections and ends those that stand.
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

    /// Gone for good: nothing of it lives on.
    func remove() {
        stop()
        reactor.forget(token)
        for worker in pool.workers { worker.post { [id] in $0.forget(id) } }
    }

    /// Moves it; where the new address cannot be had it goes on as it was.
    func update(listen newListen: String, _ new: ProxyWorker.Settings, isEnabled: Bool) throws(APIError) {
        let endpoint: Endpoint
        do {
            endpoint = try Endpoint(newListen)
        } catch {
            throw .noListener("\(error)")
        }
        let moves = (try? Endpoint(listen).isSamePlace(as: endpoint)) != true
        // What may fail comes first.
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
        // Connections that stand lead elsewhere, or are read in another way: they end.
        if moves || new.upstream != upstream || new.readsProtocol != readsProtocol || new.tls != tls {
            let leadsElsewhere = new.upstream != upstream
            settings = new
            onEveryWorker(taking: settings) { $0.endAll() }
            if leadsElsewhere { checkUpstream() }
        }
        if !isEnabled { stop() }
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
        setAcceptMode()
        onEvent(.listening(listen), nil)
    }

    func setAcceptMode() {
        do {
            try listener?.set(chain.acceptMode)
        } catch {
            report(error)
        }
    }

    /// Toxiproxy takes any upstream; one that no connection will ever come to is told of now.
    func checkUpstream() {
        if let why = Endpoint.whyUnreachable(upstream) { onEvent(.trouble("upstream \(upstream): \(why)"), nil) }
    }

    func report(_ error: any Error) { onEvent(.trouble("\(error)"), nil) }

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
