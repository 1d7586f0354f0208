import Sockets
import SquallCore
import WebSocketWire

/// One HTTP connection to the control API.
///
/// Requests are processed one at a time: the next request is read and parsed only once the kernel has accepted the
/// whole previous response. The connection buffers at most one read, one request and one response.
///
/// Confined to its reactor's thread.
final class ControlClient: Watcher {
    /// A phase of the connection, named after the input or output that the connection is waiting for. Each phase has
    /// its own deadline.
    private enum Phase: Hashable {
        /// Waiting for the first byte of the next request. Next: ``request``.
        case idle
        /// Waiting for the rest of a request. Next: ``resolving``, ``responding`` or ``idle``.
        case request
        /// Waiting for name lookups or worker threads; this phase has no deadline. Next: ``responding`` or ``idle``.
        case resolving
        /// Waiting for the client to read the response. Next: ``request`` or ``idle``.
        case responding
        /// The client follows the event stream; there is no deadline and no next phase.
        case events
    }

    /// The maximum body size is 4 MiB; the largest bodies that clients send are lists of proxies.
    private static let limits = HTTPLimits(body: 4 << 20)
    /// The number of queued event bytes above which a client following the event stream is disconnected.
    private static let maximumEvents = 8 << 20
    /// The maximum number of reads and requests handled in one call, so that other connections get their turn.
    private static let turns = 16

    var token: UInt64 = 0
    private var socket: SystemSocket?
    private unowned let owner: ControlServer
    private let reactor: Reactor
    private var parser = HTTPRequestParser(limits: limits)
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var backlog = Backlog()
    private var isReadable = false
    /// Whether part of a request has been read. It is initially true, so that the request timeout applies to a new
    /// client.
    private var isInRequest = true
    /// Whether a request is being processed. Processing may include waiting for name lookups and worker threads.
    private var isProcessingRequest = false
    /// Whether the connection closes once the response is written. No more input is read until then.
    private var isEnding = false
    /// Whether the client follows the event stream.
    private var isFollowing = false
    private var subscription: Int?
    private var phase: Phase?
    /// When the current phase times out and the connection is closed.
    private var deadline = Instant.never
    private var wake = EarliestWake()

    init(_ socket: SystemSocket, of owner: ControlServer, on reactor: Reactor) {
        self.socket = socket
        self.owner = owner
        self.reactor = reactor
    }

    /// Starts the first timeout. The token must be set before this call.
    func begin() { awaitNext() }

    func ready(_ tag: Int, _ readiness: Readiness) {
        if readiness.isReadable { isReadable = true }
        if readiness.isWritable { flush() }
        proceed()
    }

    func due(_ tag: Int) {
        let now = reactor.now
        wake.clearIfPassed(by: now)
        if deadline <= now { close() } else { schedule() }
    }

    // MARK: - Deadlines

    /// Updates the phase, and sets a deadline if the phase has changed.
    ///
    /// An unchanged phase keeps its deadline, so that a client cannot extend the deadline by sending slowly.
    private func awaitNext() {
        let next: Phase =
            if isFollowing {
                .events
            } else if isProcessingRequest {
                .resolving
            } else if !backlog.isEmpty {
                .responding
            } else {
                isInRequest ? .request : .idle
            }
        guard next != phase else { return }
        phase = next
        let timeouts = owner.timeouts
        switch next {
        case .idle: deadline = reactor.now + timeouts.idle
        case .request: deadline = reactor.now + timeouts.request
        case .responding: deadline = reactor.now + timeouts.answer
        case .resolving, .events: deadline = .never
        }
        schedule()
    }

    private func schedule() {
        if socket != nil, wake.schedules(deadline) { reactor.schedule(token, at: deadline) }
    }

    // MARK: - Requests

    private var canProceed: Bool {
        socket != nil && !isEnding && !isProcessingRequest && (backlog.isEmpty || isFollowing)
    }

    /// Parses requests, sends responses and reads until the connection has to wait.
    private func proceed() {
        defer { awaitNext() }
        var turns = 0
        while canProceed, let socket {
            turns += 1
            guard turns <= Self.turns else {
                reactor.requeue(token)
                return
            }
            if parse() { continue }
            guard canProceed, isReadable else { return }
            switch socket.receive(into: reactor.scratch) {
            // A client that follows the event stream sends no more requests; any bytes from it are discarded.
            case .bytes where isFollowing: break
            case .bytes(let count):
                isInRequest = true
                parser.append(Array(reactor.scratch[..<count]))
            case .nothing: isReadable = false
            case .end, .broken: close()
            }
        }
    }

    /// Parses and handles one complete request. Returns false if the request is still incomplete.
    private func parse() -> Bool {
        guard !isFollowing else { return false }
        do {
            while let event = try parser.next() {
                switch event {
                case .head(let head):
                    self.head = head
                    body = []
                    if head.headers.elements(of: "Expect").contains(where: { $0.lowercased() == "100-continue" }) {
                        send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                    }
                case .body(let bytes): body += bytes
                case .end:
                    let rest = parser.takeRemainder()
                    parser = HTTPRequestParser(limits: Self.limits)
                    parser.append(rest)
                    isInRequest = !rest.isEmpty
                    finishRequest()
                    return true
                }
            }
            return false
        } catch {
            answer(.text("\(error.status) \(error)", status: error.status, isRouted: false), number: nil, closes: true)
            return true
        }
    }

    private func finishRequest() {
        guard let head else { return }
        let words = head.headers.elements(of: "Connection").map { $0.lowercased() }
        let closes = words.contains("close") || head.version == .http10 && !words.contains("keep-alive")
        let request = APIRequest(head, body: body)
        self.head = nil
        body = []
        if owner.isAPI, head.method == "GET", request.path == ["events"], request.query["follow"] == "1" {
            follow(since: request.since)
            return
        }
        isProcessingRequest = true
        var isLater = false
        owner.answer(request) { [weak self] response, number in
            guard let self else { return }
            isProcessingRequest = false
            answer(response, number: number, closes: closes, hasBody: head.method != "HEAD")
            if isLater { proceed() }
        }
        isLater = true
    }

    private func answer(_ response: APIResponse, number: String?, closes: Bool, hasBody: Bool = true) {
        var headers = HTTPHeaders()
        if let type = response.contentType { headers.append("Content-Type", type) }
        if response.forbidsSniffing { headers.append("X-Content-Type-Options", "nosniff") }
        if response.isRouted, let number { headers.append("X-Toxiproxy-Request-Id", number) }
        if response.status != 204 { headers.append("Content-Length", "\(response.body.count)") }
        if closes { headers.append("Connection", "close") }
        let reason = HTTPResponseHead.usualReason(response.status)
        let bytes = HTTPResponseHead(status: response.status, reason: reason, headers: headers).encode()
        isEnding = closes
        send(bytes + (hasBody ? response.body : []))
    }

    /// Sends every stored event after `number`, then new ones as they happen, until the client closes the connection.
    private func follow(since number: Int) {
        isFollowing = true
        let headers: HTTPHeaders = ["Content-Type": "application/jsonl", "Transfer-Encoding": "chunked"]
        send(HTTPResponseHead(status: 200, reason: "OK", headers: headers).encode())
        let subscription = owner.follow(since: number) { [weak self] line in
            guard let self, socket != nil else { return }
            // A client that does not read is disconnected.
            guard backlog.count < Self.maximumEvents else {
                close()
                return
            }
            let size = String(line.count, radix: 16)
            send(Array("\(size)\r\n".utf8) + line + Array("\r\n".utf8))
        }
        // The stored events may already have overflowed the backlog and closed the connection.
        if socket == nil { owner.unfollow(subscription) } else { self.subscription = subscription }
    }

    // MARK: - Writing

    private func send(_ bytes: [UInt8]) {
        backlog.append(bytes)
        flush()
    }

    private func flush() {
        guard let socket else { return }
        var isBroken = false
        let before = backlog.count
        backlog.drain { bytes in
            switch socket.send(bytes) {
            case .bytes(let count): return count
            case .blocked: return 0
            case .broken:
                isBroken = true
                return 0
            }
        }
        // The client has read part of the response, so the response timeout restarts.
        if backlog.count < before, phase == .responding { phase = nil }
        if isBroken || isEnding && backlog.isEmpty { close() }
    }

    func close() {
        guard let socket else { return }
        self.socket = nil
        if let subscription { owner.unfollow(subscription) }
        owner.forget(self)
        socket.endOutput()
        socket.close()
    }
}
