import Faults
import Foundations
import Sockets
import WebSocketWire

/// The API's port: HTTP/1.1 with connections that live on, one request after the other.
final class ControlServer {
    private var listener: ListeningSocket?
    private unowned let server: ProxyServer
    private var clients: [UInt64: ControlClient] = [:]
    private var requests: UInt64 = 0
    /// What answers in the API's place; nil: the API itself.
    private let other: ((APIRequest) -> APIResponse)?

    var address: String { listener?.address ?? "" }

    /// With `other`, nothing of the API can be had at this port.
    init(
        at endpoint: Endpoint,
        for server: ProxyServer,
        answering other: ((APIRequest) -> APIResponse)? = nil
    ) throws(AddressError) {
        self.server = server
        self.other = other
        let listener = try ListeningSocket(
            at: endpoint,
            on: server.reactor,
            onFailure: { [weak server] in server?.record(.trouble("\($0)"), proxy: nil, link: nil) },
            onAccept: { [weak self] in self?.accept($0) }
        )
        self.listener = listener
        do {
            try listener.set(.open)
        } catch {
            throw AddressError("\(error)")
        }
    }

    private func accept(_ socket: SystemSocket) {
        socket.streamOptions()
        let client = ControlClient(socket, of: self, on: server.reactor)
        guard let token = try? server.reactor.watch(socket, client) else {
            socket.close()
            return
        }
        client.token = token
        clients[token] = client
    }

    func answer(_ request: APIRequest) -> (APIResponse, number: String) {
        requests += 1
        if let other { return (other(request), Self.number(requests)) }
        return (server.answer(request), Self.number(requests))
    }

    /// Twenty letters and digits, as clients of Toxiproxy may expect of a request's number.
    static func number(_ count: UInt64) -> String {
        let digits = String(count, radix: 32)
        return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
    }

    func follow(since number: Int, _ tell: @escaping ([UInt8]) -> Void) -> Int {
        for event in server.events.since(number) { tell(event.line) }
        return server.events.listen { tell($0.line) }
    }

    var isAPI: Bool { other == nil }

    func unfollow(_ number: Int) { server.events.stopListening(number) }

    func forget(_ client: ControlClient) {
        server.reactor.forget(client.token)
        clients[client.token] = nil
    }

    func close() {
        listener?.close()
        for client in clients.values { client.close() }
    }
}

/// One connection to the API.
final class ControlClient: Watcher {
    /// What a body may hold; the largest honest one is a list of proxies.
    private static let limits = HTTPLimits(body: 4 << 20)
    /// Events that wait for a client that follows them.
    private static let patience = 8 << 20

    var token: UInt64 = 0
    private var socket: SystemSocket?
    private unowned let owner: ControlServer
    private let reactor: Reactor
    private var parser = HTTPRequestParser(limits: limits)
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var backlog = Backlog()
    private var isReadable = false
    /// Nothing more is read; it closes once all is written.
    private var isEnding = false
    private var subscription: Int?

    init(_ socket: SystemSocket, of owner: ControlServer, on reactor: Reactor) {
        self.socket = socket
        self.owner = owner
        self.reactor = reactor
    }

    func ready(_ tag: Int, _ readiness: Readiness) {
        if readiness.isReadable { isReadable = true }
        if readiness.isWritable { flush() }
        read()
    }

    private func read() {
        while isReadable, !isEnding, backlog.isEmpty || subscription != nil, let socket {
            switch socket.receive(into: reactor.scratch) {
            case .bytes(let count):
                parser.append(Array(reactor.scratch[..<count]))
                parse()
            case .nothing: isReadable = false
            case .end, .broken: close()
            }
        }
    }

    private func parse() {
        do {
            while !isEnding, let event = try parser.next() {
                switch event {
                case .head(let head):
                    self.head = head
                    body = []
                    if head.headers.elements(of: "Expect").contains(where: { $0.lowercased() == "100-continue" }) {
                        send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                    }
                case .body(let bytes): body += bytes
                case .end:
                    finishRequest()
                    let rest = parser.takeRemainder()
                    parser = HTTPRequestParser(limits: Self.limits)
                    parser.append(rest)
                }
            }
        } catch {
            answer(.text("\(error.status) \(error)", status: error.status, isRouted: false), number: nil, closes: true)
        }
    }

    private func finishRequest() {
        guard let head else { return }
        let words = head.headers.elements(of: "Connection").map { $0.lowercased() }
        let closes = words.contains("close") || head.version == .http10 && !words.contains("keep-alive")
        let request = APIRequest(head, body: body)
        if owner.isAPI, head.method == "GET", request.path == ["events"], request.query["follow"] == "1" {
            follow(since: request.query["since"].flatMap { Int($0) } ?? 0)
            return
        }
        let (response, number) = owner.answer(request)
        answer(response, number: number, closes: closes, hasBody: head.method != "HEAD")
        self.head = nil
        body = []
    }

    private func answer(_ response: APIResponse, number: String?, closes: Bool, hasBody: Bool = true) {
        var headers = HTTPHeaders()
        if let type = response.contentType { headers.append("Content-Type", type) }
        if response.forbidsSniffing { headers.append("X-Content-Type-Options", "nosniff") }
        if response.isRouted, let number { headers.append("X-Toxiproxy-Request-Id", number) }
        if response.status != 204 { headers.append("Content-Length", "\(response.body.count)") }
        if closes { headers.append("Connection", "close") }
        let reason = HTTPStatus.reason(response.status)
        let bytes = HTTPResponseHead(status: response.status, reason: reason, headers: headers).encode()
        isEnding = closes
        send(bytes + (hasBody ? response.body : []))
    }

    /// Every event from there on, as it comes, until the client goes.
    private func follow(since number: Int) {
        let headers: HTTPHeaders = ["Content-Type": "application/jsonl", "Transfer-Encoding": "chunked"]
        send(HTTPResponseHead(status: 200, reason: "OK", headers: headers).encode())
        subscription = owner.follow(since: number) { [weak self] line in
            guard let self else { return }
            // Who does not read is let go.
            guard backlog.count < Self.patience else {
                close()
                return
            }
            let size = String(line.count, radix: 16)
            send(Array("\(size)\r\n".utf8) + line + Array("\r\n".utf8))
        }
    }

    private func send(_ bytes: [UInt8]) {
        backlog.append(bytes)
        flush()
    }

    private func flush() {
        guard let socket else { return }
        var isBroken = false
        backlog.drain { bytes in
            switch socket.send(bytes) {
            case .bytes(let count): return count
            case .blocked: return 0
            case .broken:
                isBroken = true
                return 0
            }
        }
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

/// The usual words of the statuses that the API answers with (RFC 9110 section 15).
enum HTTPStatus {
    static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 413: "Content Too Large"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 505: "HTTP Version Not Supported"
        default: "Answered"
        }
    }
}
