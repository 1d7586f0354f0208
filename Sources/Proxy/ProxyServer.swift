import Faults
package import Sockets
package import SquallCore

/// Everything behind one control port: the proxies, their events, and the API that drives them.
///
/// Confined to its reactor's thread.
package final class ProxyServer {
    package struct Options: Sendable {
        /// Where the API listens: a host and a port, 0 for any that is free.
        package var host = "localhost"
        package var port = 8474
        package var seed = Seed(1)
        package var proxyMetrics = false
        package var runtimeMetrics = false
        /// The folder that keeps the authority for certificates; nil: one in memory, made when it is first needed.
        package var authorityFolder: String?
        package var patience = Patience()
        /// Whom to ask for the addresses of names; may wait, on a thread of its own.
        package var lookUp: Resolver.Ask = Endpoint.ask
        /// How many threads carry connections, this server's own among them.
        package var threads = 1
        /// Takes what connections carry as a file of packets (pcapng), in its order and from any thread; nil where nobody wants it.
        package var capture: (@Sendable ([UInt8]) -> Void)?
        /// What writes that file.
        package var tool = "squall"

        package init() {}

        var hasMetrics: Bool { proxyMetrics || runtimeMetrics }
    }

    /// How long a client of the API may take; then its connection is closed.
    package struct Patience: Sendable {
        /// From a request's first byte to its last, and from connecting to the first request's.
        package var request = TimeSpan.seconds(15)
        /// Between two requests.
        package var idle = TimeSpan.seconds(60)
        /// To take something of an answer.
        package var answer = TimeSpan.seconds(30)
    }

    package let reactor: Reactor
    let options: Options
    let events = EventLog()
    let certificates: Certificates
    private var proxies: [String: RunningProxy] = [:]
    private var control: ControlServer?
    private var offer: ControlServer?
    private(set) var schedules: SchedulePlayer?
    private let pool: WorkerPool
    /// Nil where this thread is the only one.
    private let funnel: EventFunnel?
    private let capture: ProxyCapture?
    /// Who waits until every worker has done what it was told, by number, and of how many workers that is not known yet.
    private var barriers: [Int: (left: Int, done: () -> Void)] = [:]
    private var lastBarrier = 0
    /// Whoever wants each event as a line of JSON.
    package var onEvent: ([UInt8]) -> Void = { _ in }
    /// What the user should know, in words.
    package var onTrouble: (String) -> Void = { _ in }

    package init(_ options: Options) throws(SocketError) {
        self.options = options
        _ = Heap.keepsLargePieces
        certificates = Certificates(in: options.authorityFolder)
        capture = options.capture.map { ProxyCapture(tool: options.tool, $0) }
        let clock = MonotonicClock()
        reactor = try Reactor(clock: clock, lookUp: options.lookUp)
        let funnel = options.threads > 1 ? EventFunnel(clock, to: reactor.mailbox) : nil
        self.funnel = funnel
        var workers: [WorkerThread] = []
        if let funnel {
            for number in 2...options.threads {
                do throws(SocketError) {
                    workers.append(
                        try WorkerThread(
                            number,
                            clock,
                            funnel,
                            descriptors: reactor.descriptors,
                            lookUp: options.lookUp
                        )
                    )
                } catch {
                    for worker in workers { worker.stop() }
                    throw error
                }
            }
        }
        pool = WorkerPool(workers)
        schedules = SchedulePlayer(for: self)
        reactor.onStop = { [weak self] in self?.stop() }
        reactor.onEvents = { [weak self] in self?.collectEvents() }
        reactor.onBarrier = { [weak self] in self?.reachedBarrier($0) }
        reactor.hasForwardedAll = { [weak self] in self?.hasForwardedAll ?? true }
    }

    deinit {
        for worker in pool.workers { worker.stop() }
    }

    /// Listens for requests; where, as it turned out.
    package func listen() throws(AddressError) -> String {
        let host = options.host.contains(":") ? "[\(options.host)]" : options.host
        let control = try ControlServer(at: Endpoint("\(host):\(options.port)"), for: self)
        self.control = control
        return control.address
    }

    /// Offers the authority's certificate, and nothing else, to whoever is to trust it; where, as it turned out.
    package func offerAuthority(at endpoint: Endpoint) throws(AddressError) -> String {
        let certificates = certificates
        let offer = try ControlServer(at: endpoint, for: self) { certificates.offer(to: $0) }
        self.offer = offer
        return offer.address
    }

    package func run() {
        reactor.run()
    }

    private func stop() {
        control?.close()
        offer?.close()
        for proxy in sorted {
            proxy.stop()
            proxy.onEveryWorker { $0.closeAll() }
            proxy.remove()
        }
        for worker in pool.workers { worker.stop() }
        collectEvents()
        // Nobody who waits is told any more.
        barriers = [:]
        reactor.stop()
    }

    // MARK: - Proxies

    /// Where proxies would listen that do not.
    var idleListenAddresses: [String] { proxies.values.filter { !$0.isEnabled }.map(\.listen) }

    /// By name.
    var sorted: [RunningProxy] { proxies.values.sorted { $0.name < $1.name } }

    func proxy(_ name: String) throws(APIError) -> RunningProxy {
        guard let proxy = proxies[name] else { throw APIError.proxyNotFound }
        return proxy
    }

    func create(_ spec: ProxySpec) throws(APIError) -> RunningProxy {
        guard proxies[spec.name] == nil else { throw APIError.proxyAlreadyExists }
        return try make(spec)
    }

    /// An entry that leads where its namesake does leaves it as it is, but for toxics that it names.
    func createOrReplace(_ spec: ProxySpec) throws(APIError) -> RunningProxy {
        guard let old = proxies[spec.name] else { return try make(spec) }
        let isSame =
            old.upstream == spec.upstream && Self.isSame(old.listen, spec.listen)
            && old.readsProtocol == spec.readsProtocol && old.tls == spec.tls
        if !isSame {
            // What cannot be takes nothing away.
            try certificates.prepare(spec.tls, to: spec.upstream)
            var settings = old.settings
            (settings.upstream, settings.readsProtocol, settings.tls) = (spec.upstream, spec.readsProtocol, spec.tls)
            try old.update(listen: spec.listen, settings, isEnabled: spec.enabled)
        }
        // One that leads elsewhere begins with those of its entry.
        if let toxics = isSame ? spec.toxics : spec.toxics ?? [] {
            for toxic in old.chain.listed { old.removeToxic(toxic.name) }
            for toxic in toxics { old.add(toxic) }
        }
        return old
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        guard let left = try? Endpoint(left), let right = try? Endpoint(right) else { return left == right }
        return left.isSamePlace(as: right)
    }

    private func make(_ spec: ProxySpec) throws(APIError) -> RunningProxy {
        try certificates.prepare(spec.tls, to: spec.upstream)
        let settings = ProxyWorker.Settings(
            name: spec.name,
            seed: options.seed,
            certificates: certificates,
            readsProtocol: spec.readsProtocol,
            tls: spec.tls,
            upstream: spec.upstream,
            capture: capture
        )
        let proxy = RunningProxy(settings, listen: spec.listen, pool: pool, on: reactor) {
            [unowned self] kind, link in record(kind, proxy: settings.name, link: link)
        }
        // Before it listens: no connection slips past.
        for toxic in spec.toxics ?? [] { proxy.add(toxic) }
        if spec.enabled {
            do {
                try proxy.start()
            } catch {
                proxy.remove()
                throw error
            }
        }
        proxies[spec.name] = proxy
        proxy.checkUpstream()
        return proxy
    }

    /// Its name is nobody else's.
    func add(_ proxy: RunningProxy) {
        proxies[proxy.name] = proxy
    }

    func remove(_ proxy: RunningProxy) {
        proxy.remove()
        proxies[proxy.name] = nil
        record(.removed, proxy: proxy.name, link: nil)
    }

    /// Enables every proxy and removes every toxic.
    func reset() throws(APIError) {
        for proxy in sorted {
            try proxy.start()
            for toxic in proxy.chain.listed { proxy.removeToxic(toxic.name) }
        }
        record(.reset, proxy: nil, link: nil)
    }

    // MARK: - Events

    func record(_ kind: ProxyEvent.Kind, proxy: String?, link: Int?) {
        guard let funnel else {
            log(kind, at: reactor.now, proxy: proxy, link: link)
            return
        }
        // Behind those of other threads that were before it.
        funnel.add(kind, proxy: proxy, link: link)
        collectEvents()
    }

    private func collectEvents() {
        for entry in funnel?.collect() ?? [] { log(entry.kind, at: entry.at, proxy: entry.proxy, link: entry.link) }
    }

    private func log(_ kind: ProxyEvent.Kind, at time: Instant, proxy: String?, link: Int?) {
        if case .trouble(let text) = kind { onTrouble(proxy.map { "\($0): \(text)" } ?? text) }
        schedules?.note(events.record(kind, at: time, proxy: proxy, link: link))
    }

    // MARK: - Other threads

    /// Goes on once every worker has done what it was told until now, and all that it told of is in the log.
    func afterWorkers(_ done: @escaping () -> Void) {
        guard !pool.workers.isEmpty else {
            done()
            return
        }
        lastBarrier += 1
        barriers[lastBarrier] = (pool.workers.count, done)
        let mailbox = reactor.mailbox
        for worker in pool.workers { worker.post { [lastBarrier] _ in mailbox.post(.barrier(lastBarrier)) } }
    }

    private func reachedBarrier(_ number: Int) {
        guard let entry = barriers[number] else { return }
        guard entry.left == 1 else {
            barriers[number]?.left -= 1
            return
        }
        barriers[number] = nil
        collectEvents()
        entry.done()
    }

    /// Has each event told to ``onEvent`` from now on.
    package func emitEvents() {
        _ = events.listen { [weak self] event in self?.onEvent(event.line) }
    }
}
