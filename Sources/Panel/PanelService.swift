import Faults
import NIOCore
import Reports
import Sockets
import SquallCore
import Trace

/// Listens for connections to a panel, answers their requests, and sends events to the pages that follow the run.
///
/// The service must be used only on its event loop.
final class PanelService {
    private struct Peer {
        let socket: Connection
        var state: PanelConnection
        /// The page's position in the feed; nil if this connection does not follow the run.
        var position: PanelFeed.Position?
        var lastUse: NIODeadline
    }

    /// How long to wait before sending events, so that a burst of events shares a batch.
    private static let batching = TimeAmount.milliseconds(40)
    /// The number of sent but unacknowledged bytes above which a page is sent no further batch.
    private static let maximumUnacknowledgedBytes = 256 << 10
    private static let maximumPeers = 64
    /// How long a connection may remain open without a request.
    private static let timeout = TimeAmount.seconds(60)

    private let loop: any EventLoop
    private let catalogue: PanelCatalogue
    private let backend: any PanelBackend
    private let page: PanelPage
    private var feed: PanelFeed
    private var listener: Listener?
    /// Determines which requests are accepted; nil until the port is known.
    private var access: PanelAccess?
    private var peers: [Int: Peer] = [:]
    private var lastPeer = 0
    private var isFlushDue = false
    private var ticks: RepeatedTask?
    private var clock = PanelClock()

    init(
        _ catalogue: PanelCatalogue,
        _ feed: PanelFeed,
        _ backend: any PanelBackend,
        _ page: JSON,
        on loop: any EventLoop
    ) {
        (self.catalogue, self.feed, self.backend, self.loop) = (catalogue, feed, backend, loop)
        var page = page
        page.set("actions", to: catalogue.json)
        self.page = PanelPage(page)
    }

    /// Opens the port and returns its number.
    func listen(at place: PanelServer.Place, token: String) throws -> Int {
        let listener = try Listener(at: place.address, port: place.port, settings: SocketSettings(), on: loop) { _ in
        } onAccept: { [weak self] socket in
            self?.accept(socket)
        }
        access = PanelAccess(token: token, hosts: place.names.map { "\($0):\(listener.port)" })
        try listener.set(.open)
        self.listener = listener
        let service = NIOLoopBound(self, eventLoop: loop)
        ticks = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in service.value.tick() }
        return listener.port
    }

    func close() {
        flush()
        ticks?.cancel()
        listener?.close()
        for peer in peers.values { peer.socket.end(.fin) }
        peers = [:]
    }

    // MARK: - Displaying the run

    func show(_ events: [TraceEvent]) {
        for event in events { clock.observe(event, at: .now) }
        feed.append(events)
        flushSoon()
    }

    func announce(_ urls: [ClientID: [String]]) {
        feed.announce(urls)
        flushSoon()
    }

    func end(_ verdict: String) {
        feed.end(verdict)
        flush()
    }

    private var now: Instant { clock.time(at: .now) }

    private func flushSoon(after delay: TimeAmount = batching) {
        guard !isFlushDue else { return }
        isFlushDue = true
        let service = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: delay) {
            service.value.isFlushDue = false
            service.value.flush()
        }
    }

    private func flush() {
        var isBehind = false
        for number in peers.keys {
            while let peer = peers[number], let position = peer.position, feed.hasMore(after: position) {
                guard peer.socket.undelivered < Self.maximumUnacknowledgedBytes else {
                    isBehind = true
                    break
                }
                send(to: number)
            }
        }
        if isBehind { flushSoon(after: .milliseconds(100)) }
    }

    /// Sends the next batch to a page. If there are no new events, the batch contains only the time.
    private func send(to number: Int) {
        guard let peer = peers[number], let position = peer.position else { return }
        let batch = feed.batch(after: position, at: now)
        peers[number]?.position = batch.position
        peer.socket.write(PanelConnection.event(batch.json, number: batch.position.next))
    }

    /// Closes idle connections. If a page is open, also requests the current state from the backend. Called once a
    /// second.
    private func tick() {
        let limit = NIODeadline.now() - Self.timeout
        for (number, peer) in peers where peer.position == nil && peer.lastUse < limit { drop(number) }
        guard peers.values.contains(where: { $0.position != nil }) else { return }
        let service = NIOLoopBound(self, eventLoop: loop)
        Task { [backend, loop] in
            let present = await backend.present()
            loop.execute { service.value.show(present) }
        }
    }

    private func show(_ present: PanelState) {
        feed.show(present.lights)
        feed.show(present.changes)
        feed.show(present.proxies)
        for (number, peer) in peers where peer.position.map({ !feed.hasMore(after: $0) }) == true { send(to: number) }
        flush()
    }

    // MARK: - Connections

    private func accept(_ socket: Connection) {
        guard let access, peers.count < Self.maximumPeers else {
            socket.end(.rst)
            return
        }
        lastPeer += 1
        let number = lastPeer
        peers[number] = Peer(socket: socket, state: PanelConnection(access), lastUse: .now())
        socket.onEvent = { [weak self] event in
            switch event {
            case .received(let bytes): self?.receive(bytes, from: number)
            case .ended: self?.drop(number)
            }
        }
    }

    private func drop(_ number: Int) {
        peers.removeValue(forKey: number)?.socket.end(.fin)
    }

    private func receive(_ bytes: [UInt8], from number: Int) {
        peers[number]?.lastUse = .now()
        perform(peers[number]?.state.receive(bytes) ?? [], for: number)
    }

    private func perform(_ outputs: [PanelConnection.Output], for number: Int) {
        for output in outputs {
            switch output {
            case .write(let bytes): peers[number]?.socket.write(bytes)
            case .close: drop(number)
            case .asked(let route, let body): answer(route, body, number)
            }
        }
    }

    private func answer(_ route: PanelAccess.Route, _ body: [UInt8], _ number: Int) {
        switch route {
        case .page: respond(page.response, to: number)
        case .events(let first):
            perform(peers[number]?.state.beginStream() ?? [], for: number)
            peers[number]?.position = PanelFeed.Position(next: min(first, feed.count))
            flush()
            tick()
        case .record:
            later(number) { backend in
                guard let record = await backend.record() else { return .text("the run is over", status: 409) }
                return PanelResponse(contentType: "application/jsonl", body: record.bytes, fileName: record.name)
            }
        case .hold:
            let order = (try? JSON.decode(body, limits: Self.limits))?["order"]?.stringValue
            guard let order else { return respond(.text("the request has no order", status: 400), to: number) }
            later(number) { await Self.done(order, backend: $0) }
        case .scenario:
            later(number) { backend in
                do throws(PanelError) {
                    let text = try await backend.scenario()
                    return PanelResponse(
                        contentType: "application/yaml",
                        body: Array(text.utf8),
                        fileName: "recorded.yaml"
                    )
                } catch {
                    return .text(error.message, status: 409)
                }
            }
        case .check, .perform:
            guard let json = try? JSON.decode(body, limits: Self.limits), let form = PanelForm(json, of: catalogue)
            else {
                respond(.text("the request names no action of this panel", status: 400), to: number)
                return
            }
            later(number) { await Self.done(form, backend: $0, performing: route == .perform) }
            // The state is requested now, so that the effect of an action is displayed immediately.
            if route == .perform { tick() }
        }
    }

    /// The limits for the JSON in a request body.
    private static let limits = JSONLimits(depth: 8, size: 65_536)

    /// Checks or performs a form's action, and returns the response: the equivalent scenario step or API call, and the
    /// error, if any.
    private static func done(_ form: PanelForm, backend: any PanelBackend, performing: Bool) async -> PanelResponse {
        let line = backend.line(of: form)
        do throws(PanelError) {
            if performing { try await backend.perform(form) } else { try backend.check(form) }
            return .json(["line": .string(line)])
        } catch {
            let refusal: JSON = ["line": .string(line), "refusal": .string(error.message)]
            return .json(refusal, status: performing ? 422 : 200)
        }
    }

    /// Carries out a command to hold or continue the run, and returns the response.
    private static func done(_ order: String, backend: any PanelBackend) async -> PanelResponse {
        do throws(PanelError) {
            try await backend.perform(order)
            return .json([:])
        } catch {
            return .json(["refusal": .string(error.message)], status: 422)
        }
    }

    private func respond(_ response: PanelResponse, to number: Int) {
        peers[number]?.lastUse = .now()
        perform(peers[number]?.state.answer(response) ?? [], for: number)
    }

    /// Responds to a request once the backend has completed `work`.
    private func later(
        _ number: Int,
        _ work: @escaping @Sendable (any PanelBackend) async -> PanelResponse
    ) {
        let service = NIOLoopBound(self, eventLoop: loop)
        Task { [backend, loop] in
            let response = await work(backend)
            loop.execute { service.value.respond(response, to: number) }
        }
    }
}

extension PanelPage {
    fileprivate var response: PanelResponse {
        PanelResponse(contentType: "text/html; charset=utf-8", body: html, policy: policy)
    }
}
