import ChatWire
import Faults
import SquallCore
import WebSocketWire

/// Opens and closes the successive connections of a case.
extension ChatRun {
    /// Replaces the connection with a new one, unless nothing has been sent on it yet.
    private mutating func renew(user: Int = 0, after end: LinkEnd? = .rst) {
        (socket, exchange, isOpen, closeCode, hasClosed) = (nil, nil, false, nil, false)
        guard !isFresh else { return }
        log.note("the connection is \(end == nil ? "left open" : "reset") and a new one opened", at: now - began)
        outputs.append(.reconnect(end, user: user))
        isFresh = true
    }

    /// Resets the connection to a server and continues on a new one as the case's user with this number.
    mutating func cut(user: Int) {
        flush()
        renew(user: user)
    }

    /// Leaves the connection to a server open, unread, and continues on a second one as the case's user with this
    /// number.
    mutating func leaveOpen(user: Int) {
        flush()
        renew(user: user, after: nil)
    }

    /// Starts a WebSocket handshake with a server.
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
        limit = now + Self.timeout
    }

    /// Writes Squall's handshake request or response, which is all that a new connection has to send.
    private mutating func writeHead() {
        let bytes = socket?.takeOutput() ?? []
        log.bytes(bytes, .sent, at: now - began, "HTTP")
        log.count(sent: bytes.count)
        outputs.append(.write(bytes))
        isFresh = false
    }

    // MARK: - Connections of clients

    /// Closes the connection and waits for the client to reconnect on its own.
    mutating func awaitReturn(within span: TimeSpan) {
        flush()
        log.note("waiting for the client's next connection", at: now - began)
        outputs.append(.reconnect(.fin, user: 0))
        (socket, isOpen, closeCode, hasClosed, isFresh) = (nil, false, nil, false, true)
        handshakeParser = HTTPRequestParser()
        limit = now + span
    }

    /// Parses a client's handshake request and responds to it.
    mutating func answerHandshake(_ bytes: [UInt8]) {
        handshakeParser?.append(bytes)
        do {
            guard case .head(let head)? = try handshakeParser?.next() else { return }
            log.bytes(head.encode(), .received, at: now - began, "HTTP")
            if next < testCase.steps.count, case .expectNoReconnect = testCase.steps[next] {
                return fail("the client reconnected although it must not")
            }
            // A request without a body ends with its head, so the parser already has the end event.
            _ = try handshakeParser?.next()
            socket = try WebSocketConnection.server(accepting: head, remainder: handshakeParser?.takeRemainder() ?? [])
        } catch {
            return fail("the client's request is not a valid handshake: \(error)")
        }
        handshakeParser = nil
        writeHead()
        isOpen = true
        connections += 1
        proceed()
        for event in socket?.receive([]) ?? [] where result == nil { take(event) }
    }

    // MARK: - HTTP

    /// Sends an HTTP request on a new connection.
    mutating func begin(_ ask: RouteRequest) {
        flush()
        renew(user: ask.key == .other ? 1 : 0)
        let bytes = ask.encode(target, host: host, saved: saved)
        log.bytes(bytes, .sent, at: now - began, "HTTP")
        log.count(sent: bytes.count)
        outputs.append(.write(bytes))
        isFresh = false
        exchange = RouteExchange(parser: HTTPResponseParser(answering: ask.method ?? ask.route.method))
        limit = now + Self.timeout
    }

    mutating func readAnswer(_ bytes: [UInt8]) {
        exchange?.parser.append(bytes)
        pump()
    }

    mutating func answerEnded() {
        exchange?.parser.finish()
        if !pump() { fail("the server ended the connection before its response was complete") }
    }

    /// Parses the response. Returns true when the exchange has ended, whether or not the response was valid. Another
    /// exchange may already have begun by then.
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
            fail("the response is not HTTP: \(error)")
            return true
        }
    }

    private mutating func judge(_ answered: RouteExchange) {
        guard let head = answered.head, next < testCase.steps.count,
            case .ask(let ask, let reply) = testCase.steps[next]
        else { return }
        log.bytes(head.encode() + answered.body, .received, at: now - began, "HTTP")
        if reply.isOptional, head.status == 404 || head.status == 405 {
            return finish(.unimplemented, "the server does not have the optional route '\(ask.route.rawValue)'")
        }
        switch RouteVerdict.judge(head, answered.body, to: ask, reply, of: target, saved: saved) {
        case .wrong(let why): return fail(why)
        case .nonStrict(let why, let body):
            tolerated.append(why)
            keep(body, reply)
        case .right(let body): keep(body, reply)
        }
        next += 1
        proceed()
    }

    private mutating func keep(_ body: JSON, _ reply: RouteReply) {
        for (field, name) in reply.saves { saved[name] = body[target.wire[field]] ?? .null }
        guard let listing = reply.listing else { return }
        saved.merge(RouteVerdict.values(savedBy: listing, in: body, target.wire, saved)) { $1 }
    }
}

/// An HTTP request that awaits its response.
struct RouteExchange: Sendable {
    var parser: HTTPResponseParser
    var head: HTTPResponseHead?
    var body: [UInt8] = []
}
