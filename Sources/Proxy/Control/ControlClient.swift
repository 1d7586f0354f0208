import Sockets
import SquallCore
import WebSocketWire

/// One HTTP connection to the control API.
///
/// Its requests are answered one after the other: the next is parsed, and more is read, only when the kernel has taken
/// the whole previous response. It holds at most one read, one request and one response.
///
/// Confined to its reactor's thread.
final class ControlClient: Watcher {
    /// What the connection is waiting for; each phase has a deadline of its own.
    private enum Phase: Hashable {
        /// Waiting for the first byte of the next request. Next: ``request``.
        case idle
        /// Waiting for the rest of a request. Next: ``names``; ``answer``; ``idle``.
        case request
        /// Waiting for name lookups or worker threads; no deadline. Next: ``answer``; ``idle``.
        case names
        /// Waiting for the client to read the response. Next: ``request``; ``idle``.
        case answer
        /// Waiting for nothing: the client follows the events, without a deadline.
        case events
    }

    /// The limit of a request's body; the largest sensible one is a list of proxies.
    private static let limits = HTTPLimits(body: 4 << 20)
    /// The bytes of events queued for a following client above which it is disconnected.
    private static let mostEvents = 8 << 20
    /// The largest number of reads and requests handled before other watchers get their turn.
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
    /// Part of a request has been read. True at first, so that a new client has only the request's time.
    private var isInRequest = true
    /// A request is being answered, which may wait for name lookups and worker threads.
    private var isAwaitingNames = false
    /// Nothing more is read, and the connection closes once the response is written.
    private var isEnding = false
    /// The client follows the events.
    private var isFollowing = false
    private var subscription: Int?
    private var phase: Phase?
    /// When the phase must have ended; the connection is closed then.
    private var deadline = Instant.never
    private var wake = EarliestWake()

    init(_ socket: SystemSocket, of owner: ControlServer, on reactor: Reactor) {
        self.socket = socket
        self.owner = owner
        self.reactor = reactor
    }

    /// Starts the first deadline; the token must be set.
    func begin() { awaitNext() }

    func ready(_ tag: Int, _ readiness: Readiness) {
        if readiness.isReadable { isReadable = true }
        if readiness.isWritable { flush() }
        proceed()
    }

    func due(_ tag: Int) {
        let now = reactor.now
        wake.came(by: now)
        if deadline <= now { close() } else { schedule() }
    }

    // MARK: - Time

    /// Enters the current phase and sets its deadline.
    ///
    /// A phase that continues keeps its deadline, however slowly bytes arrive.
    private func awaitNext() {
        let next: Phase =
            if isFollowing {
                .events
            } else if isAwaitingNames {
                .names
            } else if !backlog.isEmpty {
                .answer
            } else {
                isInRequest ? .request : .idle
            }
        guard next != phase else { return }
        phase = next
        let patience = owner.patience
        switch next {
        case .idle: deadline = reactor.now + patience.idle
        case .request: deadline = reactor.now + patience.request
        case .answer: deadline = reactor.now + patience.answer
        case .names, .events: deadline = .never
        }
        schedule()
    }

    private func schedule() {
        if socket != nil, wake.needs(deadline) { reactor.schedule(token, at: deadline) }
    }

    // MARK: - Requests

    private var canProceed: Bool { socket != nil && !isEnding && !isAwaitingNames && (backlog.isEmpty || isFollowing) }

    /// Parses, answers and reads until something has to be waited for.
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
            // A client that follows the events has nothing more to say; its bytes are discarded.
            case .bytes where isFollowing: break
            case .bytes(let count):
                isInRequest = true
                parser.append(Array(reactor.scratch[..<count]))
            case .nothing: isReadable = false
            case .end, .broken: close()
            }
        }
    }

    /// Parses up to the end of one request and answers it. Returns false if the request is incomplete.
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
            follow(since: request.query["since"].flatMap { Int($0) } ?? 0)
            return
        }
        isAwaitingNames = true
        var isLater = false
        owner.answer(request) { [weak self] response, number in
            guard let self else { return }
            isAwaitingNames = false
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

    /// Sends every event after `number`, and new ones as they happen, until the client closes.
    private func follow(since number: Int) {
        isFollowing = true
        let headers: HTTPHeaders = ["Content-Type": "application/jsonl", "Transfer-Encoding": "chunked"]
        send(HTTPResponseHead(status: 200, reason: "OK", headers: headers).encode())
        let subscription = owner.follow(since: number) { [weak self] line in
            guard let self, socket != nil else { return }
            // A client that does not read is disconnected.
            guard backlog.count < Self.mostEvents else {
                close()
                return
            }
            let size = String(line.count, radix: 16)
            send(Array("\(size)\r\n".utf8) + line + Array("\r\n".utf8))
        }
        // The client may have been disconnected already by the first events.
        if socket == nil { owner.unfollow(subscription) } else { self.subscription = subscription }
    }

    // MARK: - Answers

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
        // The client has read part of the response: its time starts again.
        if backlog.count < before, phase == .answer { phase = nil }
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
