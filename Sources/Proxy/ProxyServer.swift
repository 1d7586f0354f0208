import Faults
package import Sockets
package import SquallCore
package import TLSLink
package import Trace

/// A proxy server: the proxies behind one control port, their event log and schedules, and the control API.
///
/// Confined to its reactor's thread.
package final class ProxyServer {
    package struct Options: Sendable {
        /// The host on which the API listens.
        package var host = "localhost"
        /// The port on which the API listens; 0 lets the kernel choose one.
        package var port = 8474
        /// The seed for all random numbers used by toxics (the proxies' faults).
        package var seed = Seed(1)
        package var proxyMetrics = false
        package var runtimeMetrics = false
        /// The certificate authority's folder; if nil, an authority is created in memory on first use.
        package var authorityFolder: String?
        /// A certificate authority that takes precedence over the one in the folder; nil for none.
        package var authority: (any TLSAuthority)?
        package var timeouts = Timeouts()
        /// Resolves host names. It is called on another thread and may block.
        package var lookUp: Resolver.Lookup = Endpoint.resolve
        /// The number of threads that relay connections, including this server's own thread.
        package var threads = 1
        /// Receives the packet capture (pcapng) of all connections. It is called with consecutive parts of the file,
        /// from any thread; nil disables the capture.
        package var capture: (@Sendable ([UInt8]) -> Void)?
        /// The program name that the packet capture records.
        package var tool = "squall"

        package init() {}

        var hasMetrics: Bool { proxyMetrics || runtimeMetrics }
    }

    /// The timeouts of a control client's connection; the connection is closed when one expires.
    package struct Timeouts: Sendable {
        /// The maximum time from a request's first byte to its last. For the first request on a connection, the time is
        /// measured from when the connection was accepted.
        package var request = TimeSpan.seconds(15)
        /// The maximum time between a response and the next request.
        package var idle = TimeSpan.seconds(60)
        /// The maximum time that the client may take between two reads of a response.
        package var answer = TimeSpan.seconds(30)
    }

    package let reactor: Reactor
    let options: Options
    let events = EventLog()
    let certificates: Certificates
    private var proxies: [String: RunningProxy] = [:]
    private var control: ControlServer?
    /// The HTTP server that serves the certificate authority's certificate; nil until ``serveCertificate(at:)`` is
    /// called.
    private var certificateServer: ControlServer?
    private(set) var schedules: SchedulePlayer?
    private let pool: WorkerPool
    /// Collects events from the worker threads; nil if there are no worker threads.
    private let collector: EventCollector?
    private let capture: ProxyCapture?
    /// The barriers that at least one worker has not reached yet, by barrier number. `left` is the number of workers
    /// that have not reached the barrier, and `done` is called when that number becomes 0.
    private var barriers: [Int: (left: Int, done: () -> Void)] = [:]
    private var lastBarrier = 0
    /// Receives each event as a line of JSON once ``emitEvents()`` has been called.
    package var onEvent: ([UInt8]) -> Void = { _ in }
    /// Receives messages about problems that the user should know about.
    package var onTrouble: (String) -> Void = { _ in }

    /// Creates a server and starts its worker threads. Call it on the thread that will run the server.
    ///
    /// - Throws: `SocketError` if the process has no file descriptors left for the reactors.
    package init(_ options: Options) throws(SocketError) {
        self.options = options
        _ = Heap.retainsLargeBuffers
        certificates = Certificates(in: options.authorityFolder, options.authority)
        capture = options.capture.map { ProxyCapture(tool: options.tool, $0) }
        let clock = MonotonicClock()
        reactor = try Reactor(clock: clock, lookUp: options.lookUp)
        let collector = options.threads > 1 ? EventCollector(clock, to: reactor.mailbox) : nil
        self.collector = collector
        var workers: [WorkerThread] = []
        if let collector {
            for number in 2...options.threads {
                do throws(SocketError) {
                    workers.append(
                        try WorkerThread(
                            number,
                            clock,
                            collector,
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
        reactor.onCall = { [weak self] in self?.answer($0) }
        reactor.hasForwardedAll = { [weak self] in self?.hasForwardedAll ?? true }
    }

    deinit {
        for worker in pool.workers { worker.stop() }
    }

    /// Opens the control port. Returns the address on which it listens.
    ///
    /// - Throws: ``AddressError`` if the port cannot be bound.
    package func listen() throws(AddressError) -> String {
        let host = options.host.contains(":") ? "[\(options.host)]" : options.host
        let control = try ControlServer(at: Endpoint("\(host):\(options.port)"), for: self)
        self.control = control
        return control.address
    }

    /// Opens a port that serves only the authority's certificate, for installation on devices.
    ///
    /// - Returns: The address on which the port listens.
    /// - Throws: ``AddressError`` if the port cannot be bound.
    package func serveCertificate(at endpoint: Endpoint) throws(AddressError) -> String {
        let certificates = certificates
        let certificateServer = try ControlServer(at: endpoint, for: self) { certificates.offer(to: $0) }
        self.certificateServer = certificateServer
        return certificateServer.address
    }

    /// Runs the server until ``ReactorInbox/Message/stop`` is posted.
    package func run() {
        reactor.run()
    }

    private func stop() {
        control?.close()
        certificateServer?.close()
        for proxy in sorted {
            proxy.stop()
            proxy.onEveryWorker { $0.closeAll() }
            proxy.remove()
        }
        for worker in pool.workers { worker.stop() }
        collectEvents()
        // The completion handlers are dropped, because the connections that wait for their responses are already
        // closed.
        barriers = [:]
        reactor.stop()
    }

    // MARK: - Proxies

    /// The listen addresses of all disabled proxies.
    var idleListenAddresses: [String] { proxies.values.filter { !$0.isEnabled }.map(\.listen) }

    /// All proxies, ordered by name.
    var sorted: [RunningProxy] { proxies.values.sorted { $0.name < $1.name } }

    func proxy(_ name: String) throws(APIError) -> RunningProxy {
        guard let proxy = proxies[name] else { throw APIError.proxyNotFound }
        return proxy
    }

    /// Creates a proxy.
    ///
    /// - Throws: ``APIError`` if the name is taken, the TLS plan cannot be carried out, or the address cannot be bound.
    func create(_ spec: ProxySpec) throws(APIError) -> RunningProxy {
        guard proxies[spec.name] == nil else { throw APIError.proxyAlreadyExists }
        return try make(spec)
    }

    /// Creates a proxy, or updates the existing proxy with that name to match `spec`.
    ///
    /// If the upstream, the address, the protocol and the TLS plan are unchanged, the proxy continues to run, and its
    /// toxics are replaced only if `spec` lists any. Otherwise the proxy is updated and gets exactly the toxics in
    /// `spec`.
    func createOrReplace(_ spec: ProxySpec) throws(APIError) -> RunningProxy {
        guard let old = proxies[spec.name] else { return try make(spec) }
        let isSame =
            old.upstream == spec.upstream && Self.isSame(old.listen, spec.listen)
            && old.readsProtocol == spec.readsProtocol && old.tls == spec.tls
        if !isSame {
            // The TLS plan is validated first, so that a plan that cannot be carried out leaves the proxy unchanged.
            try certificates.prepare(spec.tls, to: spec.upstream)
            var settings = old.settings
            (settings.upstream, settings.readsProtocol, settings.tls) = (spec.upstream, spec.readsProtocol, spec.tls)
            try old.update(listen: spec.listen, settings, isEnabled: spec.enabled)
        }
        // If the proxy was changed, `spec` determines its toxics; a `spec` without `toxics` removes them all.
        if let toxics = isSame ? spec.toxics : spec.toxics ?? [] {
            for toxic in old.chain.listed { old.removeToxic(toxic.name) }
            for toxic in toxics { old.add(toxic) }
        }
        return old
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        guard let left = try? Endpoint(left), let right = try? Endpoint(right) else { return left == right }
        return left.hasSameAddress(as: right)
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
        // Toxics are added before the proxy listens, so that they apply to the first connection.
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

    /// Adds a proxy, whose name must not be in use.
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

    /// Records an event. If there are worker threads, their earlier events are logged first.
    func record(_ kind: ProxyEvent.Kind, proxy: String?, link: Int?) {
        assert(reactor.isConfined)
        guard let collector else {
            log(kind, at: reactor.now, proxy: proxy, link: link)
            return
        }
        // Earlier events from other threads may still be in the collector; they must be logged first.
        collector.add(kind, proxy: proxy, link: link)
        collectEvents()
    }

    private func collectEvents() {
        for entry in collector?.collect() ?? [] { log(entry.kind, at: entry.at, proxy: entry.proxy, link: entry.link) }
    }

    private func log(_ kind: ProxyEvent.Kind, at time: Instant, proxy: String?, link: Int?) {
        if case .problem(let text) = kind { onTrouble(proxy.map { "\($0): \(text)" } ?? text) }
        schedules?.note(events.record(kind, at: time, proxy: proxy, link: link))
    }

    // MARK: - Communication with other threads

    /// Calls `done` once every worker has run all tasks posted so far and the log contains their events.
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

    /// Handles an API call from another thread in the same way as a request to the control port.
    private func answer(_ call: APICall) {
        if call.request.path == ["events"] {
            let kept = events.since(0).flatMap(\.line)
            return call.answer(APIResponse(status: 200, contentType: "application/x-ndjson", body: kept))
        }
        control?.answer(call.request) { response, _ in call.answer(response) }
    }

    /// Calls `take` on this server's thread with each event from now on.
    package func follow(_ take: @escaping (TraceEvent) -> Void) {
        _ = events.listen { take($0.traceEvent) }
    }

    /// Starts passing each event to ``onEvent``.
    package func emitEvents() {
        _ = events.listen { [weak self] event in self?.onEvent(event.line) }
    }
}
