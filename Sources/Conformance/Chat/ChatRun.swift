import ChatWire
package import Faults
package import Foundations
package import WebSocketWire

/// One case of the chat protocol played against one peer, without I/O.
package struct ChatRun: PeerRun {
    let subject: ChatCase
    let target: ChatTarget
    let agent: String
    let host: String
    let path: String
    let seed: Seed

    var socket: WebSocketConnection
    var connections = 1
    var next = 0
    var isOpen: Bool
    var kept: [String: JSON] = [:]
    var closeCode: UInt16?
    var hasClosed = false
    var outputs: [PeerOutput] = []
    var log = WireLog()
    var now: Instant
    let began: Instant
    /// What is waited for must have come by then, or the silence is over.
    var limit: Instant
    package private(set) var result: ConformanceResult?

    static let patience = TimeSpan.seconds(5)

    /// Judges a server: our request is in the output.
    package static func client(
        _ subject: ChatCase,
        _ target: ChatTarget,
        host: String,
        path: String,
        agent: String,
        seed: Seed = Seed(1),
        at now: Instant
    ) -> ChatRun {
        let socket = dial(host, path, seed, 1)
        var run = ChatRun(
            subject,
            target,
            socket,
            agent: agent,
            host: host,
            path: path,
            seed: seed,
            isOpen: false,
            at: now
        )
        run.flush()
        return run
    }

    /// Judges a client that has come to the chat's path; nil where its request opens nothing.
    package static func server(
        _ subject: ChatCase,
        _ target: ChatTarget,
        accepting request: HTTPRequestHead,
        remainder: [UInt8] = [],
        agent: String,
        at now: Instant
    ) -> ChatRun? {
        guard let socket = try? WebSocketConnection.server(accepting: request, remainder: remainder) else { return nil }
        var run = ChatRun(
            subject,
            target,
            socket,
            agent: agent,
            host: "",
            path: "",
            seed: Seed(1),
            isOpen: true,
            at: now
        )
        run.proceed()
        run.flush()
        return run
    }

    private init(
        _ subject: ChatCase,
        _ target: ChatTarget,
        _ socket: WebSocketConnection,
        agent: String,
        host: String,
        path: String,
        seed: Seed,
        isOpen: Bool,
        at now: Instant
    ) {
        (self.subject, self.target, self.socket, self.agent) = (subject, target, socket, agent)
        (self.host, self.path, self.seed, self.isOpen) = (host, path, seed, isOpen)
        (self.now, began, limit) = (now, now, now + Self.patience)
    }

    private static func dial(_ host: String, _ path: String, _ seed: Seed, _ number: Int) -> WebSocketConnection {
        var keys = seed.stream("key \(number)")
        return WebSocketConnection.client(
            host: host,
            path: path,
            key: (0..<16).map { _ in UInt8(truncatingIfNeeded: keys.next()) },
            masks: seed.stream("masks \(number)")
        )
    }

    package mutating func takeOutputs() -> [PeerOutput] {
        defer { outputs = [] }
        return outputs
    }

    package var deadline: Instant? { result == nil ? limit : nil }

    package mutating func receive(_ bytes: [UInt8], at now: Instant) {
        self.now = now
        guard result == nil else { return }
        log.count(received: bytes.count)
        for event in socket.receive(bytes) where result == nil { take(event) }
        flush()
    }

    package mutating func receiveEnd(_ end: LinkEnd, at now: Instant) {
        self.now = now
        guard result == nil else { return }
        log.note(
            end == .fin ? "the peer ends the TCP connection" : "the peer resets the TCP connection",
            at: now - began
        )
        if next < subject.steps.count {
            fail("the peer ended the connection before \(wanted)")
        } else {
            finish(.ok, "as it should be")
        }
    }

    package mutating func tick(at now: Instant) {
        self.now = now
        guard result == nil, limit <= now else { return }
        if next < subject.steps.count, case .silence = subject.steps[next] {
            next += 1
            proceed()
            flush()
        } else if next < subject.steps.count {
            fail("\(wanted) did not come")
        } else {
            finish(.ok, "as it should be")
        }
    }

    /// Begins a connection to the same place.
    mutating func redial() {
        connections += 1
        outputs.append(.reconnect)
        socket = Self.dial(host, path, seed, connections)
        (isOpen, closeCode, hasClosed) = (false, nil, false)
        log.note("the connection is cut, and another one made", at: now - began)
    }

    mutating func flush() {
        let bytes = socket.takeOutput()
        guard !bytes.isEmpty else { return }
        log.count(sent: bytes.count)
        outputs.append(.write(bytes))
    }

    mutating func fail(_ why: String) { finish(.failed, why) }

    mutating func finish(_ behavior: CaseBehavior, _ why: String) {
        guard result == nil else { return }
        flush()
        outputs.append(.end(.fin))
        let judged: CaseBehavior = subject.isInformational ? .informational : behavior
        result = ConformanceResult(
            id: subject.summary.id,
            agent: agent,
            judged: subject.judged,
            behavior: judged,
            why: why,
            closeBehavior: subject.isInformational ? .informational : behavior == .failed ? .failed : .ok,
            closeWhy: why,
            duration: now - began,
            remoteCode: closeCode,
            remoteReason: nil,
            localCode: nil,
            wasClean: closeCode != nil,
            closedByUs: hasClosed,
            failedByUs: false,
            droppedByUs: false,
            events: [],
            expected: [],
            log: log
        )
    }
}
