import ChatWire
import Faults
import SquallCore
import WebSocketWire

/// The connections of a case, one after another.
extension ChatRun {
    /// Makes sure of a connection that nothing was said on.
    private mutating func renew(user: Int = 0) {
        (socket, exchange, isOpen, closeCode, hasClosed) = (nil, nil, false, nil, false)
        guard !isFresh else { return }
        log.note("the connection is cut, and another one made", at: now - began)
        outputs.append(.reconnect(.rst, user: user))
        isFresh = true
    }

    /// Judging a server: the connection is cut, whoever dials next.
    mutating func cut(user: Int) {
        flush()
        renew(user: user)
    }

    /// Asks a server for a WebSocket.
    mutating func dial() {
        renew()
        connections += 1
        var keys = seed.stream("key \(connections)")
        socket = WebSocketConnection.client(
            host: host,
            path: path,
            key: (0..<16).map { _ in UInt8(truncatingIfNeeded: keys.next()) },
            masks: seed.stream("masks \(connections)")
        )
        writeHead()
        limit = now + Self.patience
    }

    /// Our part of the opening handshake, which is all that a new socket has to say.
    private mutating func writeHead() {
        let bytes = socket?.takeOutput() ?? []
        log.bytes(bytes, .sent, at: now - began, "HTTP")
        log.count(sent: bytes.count)
        outputs.append(.write(bytes))
        isFresh = false
    }

    // MARK: - Clients that come

    /// The client is left to come back by itself.
    mutating func awaitReturn(within span: TimeSpan) {
        flush()
        log.note("the client's next connection is waited for", at: now - began)
        outputs.append(.reconnect(.fin, user: 0))
        (socket, isOpen, closeCode, hasClosed, isFresh) = (nil, false, nil, false, true)
        doorbell = HTTPRequestParser()
        limit = now + span
    }

    /// A client's handshake.
    mutating func answerAcceptMode(_ bytes: [UInt8]) {
        doorbell?.append(bytes)
        do {
            guard case .head(let head)? = try doorbell?.next() else { return }
            log.bytes(head.encode(), .received, at: now - began, "HTTP")
            if next < subject.steps.count, case .staysAway = subject.steps[next] {
                return fail("the client came back, though it was told not to")
            }
            // The end of a request without a body comes with its head.
            _ = try doorbell?.next()
            socket = try WebSocketConnection.server(accepting: head, remainder: doorbell?.takeRemainder() ?? [])
        } catch {
            return fail("the client's request opens nothing: \(error)")
        }
        doorbell = nil
        writeHead()
        isOpen = true
        connections += 1
        proceed()
        for event in socket?.receive([]) ?? [] where result == nil { take(event) }
    }

    // MARK: - HTTP

    /// One request, on a connection of its own.
    mutating func begin(_ ask: RouteAsk) {
        flush()
        renew()
        let bytes = ask.encode(target, host: host, kept: kept)
        log.bytes(bytes, .sent, at: now - began, "HTTP")
        log.count(sent: bytes.count)
        outputs.append(.write(bytes))
        isFresh = false
        exchange = RouteExchange(parser: HTTPResponseParser(answering: ask.method ?? ask.route.method))
        limit = now + Self.patience
    }

    mutating func readAnswer(_ bytes: [UInt8]) {
        exchange?.parser.append(bytes)
        pump()
    }

    mutating func answerEnded() {
        exchange?.parser.finish()
        if !pump() { fail("the server ended the connection before its answer was whole") }
    }

    /// Whether the answer has come to an end, good or bad; another exchange may have begun then.
    @discardableResult
    private mutating func pump() -> Bool {
        do {
            while let event = try exchange?.parser.next() {
                switch event {
                case .head(let head): if head.status >= 200 { exchange?.head = head }
                case .body(let piece): exchange?.body += piece
                case .end:
                    let answered = exchange
                    exchange = nil
                    if let answered { judge(answered) }
                    return true
                }
            }
            return false
        } catch {
            exchange = nil
            fail("the answer is not HTTP: \(error)")
            return true
        }
    }

    private mutating func judge(_ answered: RouteExchange) {
        guard let head = answered.head, next < subject.steps.count, case .ask(let ask, let reply) = subject.steps[next]
        else { return }
        log.bytes(head.encode() + answered.body, .received, at: now - began, "HTTP")
        switch RouteVerdict.judge(head, answered.body, to: ask, reply, target.wire, kept: kept) {
        case .wrong(let why): return fail(why)
        case .tolerable(let why, let body):
            tolerated.append(why)
            keep(body, reply)
        case .right(let body): keep(body, reply)
        }
        next += 1
        proceed()
    }

    private mutating func keep(_ body: JSON, _ reply: RouteReply) {
        for (field, name) in reply.keeps { kept[name] = body[target.wire[field]] ?? .null }
    }
}

/// A request that is out.
struct RouteExchange: Sendable {
    var parser: HTTPResponseParser
    var head: HTTPResponseHead?
    var body: [UInt8] = []
}
