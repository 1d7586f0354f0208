import ChatWire
package import Faults
package import SquallCore
import WebSocketWire

/// A run of one chat-protocol case against one peer, without I/O.
package struct ChatRun: PeerRun {
    let testCase: ChatCase
    let target: ChatTarget
    let agent: String
    let host: String
    let path: String
    let seed: Seed

    // The current connection: a WebSocket, an HTTP exchange, or a client's pending handshake. All three are nil if
    // there is no connection.
    var socket: WebSocketConnection?
    var exchange: RouteExchange?
    var handshakeParser: HTTPRequestParser?
    /// Whether nothing has been sent on the connection yet.
    var isFresh = true
    var isOpen = false
    var closeCode: UInt16?
    var hasClosed = false

    var connections = 0
    var next = 0
    var saved: [String: JSON] = [:]
    /// The highest sequence number sent to the client so far.
    var newest: Int64 = 0
    /// The tolerated deviations from the protocol, which make the result non-strict rather than failed.
    var tolerated: [String] = []
    var outputs: [PeerOutput] = []
    /// The run's log. It keeps long entries because there are few frames and they are worth reading in full.
    var log = WireLog(width: 2048)
    var now: Instant
    let began: Instant
    /// The deadline for the expected frame, response or connection, or the end of an expected period of silence.
    var limit: Instant
    package private(set) var result: ConformanceResult?

    package static let timeout = TimeSpan.seconds(5)
    /// The time limit for a client to reconnect. It is long because each client chooses its own backoff.
    static let reconnectTimeout = TimeSpan.seconds(30)

    /// Creates a run in which Squall is the client and tests a server.
    package static func client(
        _ testCase: ChatCase,
        _ target: ChatTarget,
        host: String,
        path: String,
        agent: String,
        seed: Seed = Seed(1),
        at now: Instant
    ) -> ChatRun {
        var run = ChatRun(testCase, target, agent: agent, host: host, path: path, seed: seed, at: now)
        run.proceed()
        run.flush()
        return run
    }

    /// Creates a run in which Squall is the server and tests a client, which first sends its handshake request.
    package static func server(
        _ testCase: ChatCase,
        _ target: ChatTarget,
        agent: String,
        at now: Instant
    ) -> ChatRun {
        var run = ChatRun(testCase, target, agent: agent, host: "", path: "", seed: Seed(1), at: now)
        run.handshakeParser = HTTPRequestParser()
        return run
    }

    private init(
        _ testCase: ChatCase,
        _ target: ChatTarget,
        agent: String,
        host: String,
        path: String,
        seed: Seed,
        at now: Instant
    ) {
        (self.testCase, self.target, self.agent) = (testCase, target, agent)
        (self.host, self.path, self.seed) = (host, path, seed)
        (self.now, began, limit) = (now, now, now + Self.timeout)
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
        if handshakeParser != nil {
            answerHandshake(bytes)
        } else if exchange != nil {
            readAnswer(bytes)
        } else {
            for event in socket?.receive(bytes) ?? [] where result == nil { take(event) }
        }
        flush()
    }

    package mutating func receiveEnd(_ end: LinkEnd, at now: Instant) {
        self.now = now
        guard result == nil else { return }
        log.note(
            end == .fin ? "the peer ends the TCP connection" : "the peer resets the TCP connection",
            at: now - began
        )
        if exchange != nil {
            answerEnded()
        } else if socket == nil, handshakeParser == nil || connections > 0 {
            // The connection that ended is no longer needed: Squall is already opening another one or waiting for the
            // client to do so.
            return
        } else if next < testCase.steps.count {
            fail("the peer ended the connection before \(wanted)")
        } else {
            finish(.ok, "as expected")
        }
        flush()
    }

    package mutating func tick(at now: Instant) {
        self.now = now
        guard result == nil, limit <= now else { return }
        guard next < testCase.steps.count else { return finish(.ok, "as expected") }
        switch testCase.steps[next] {
        case .silence where isOpen, .noReplay where isOpen, .expectNoReconnect:
            next += 1
            proceed()
            flush()
        default: fail("\(wanted) did not arrive")
        }
    }

    mutating func flush() {
        let bytes = socket?.takeOutput() ?? []
        guard !bytes.isEmpty else { return }
        isFresh = false
        log.count(sent: bytes.count)
        outputs.append(.write(bytes))
    }

    mutating func fail(_ why: String) { finish(.failed, why) }

    mutating func finish(_ verdict: CaseBehavior, _ reason: String) {
        guard result == nil else { return }
        flush()
        outputs.append(.end(.fin))
        var (behavior, why) = (verdict, reason)
        if behavior == .ok, !tolerated.isEmpty { (behavior, why) = (.nonStrict, tolerated.joined(separator: "; ")) }
        if testCase.isInformational { behavior = .informational }
        result = ConformanceResult(
            id: testCase.summary.id,
            agent: agent,
            testedRole: testCase.testedRole,
            behavior: behavior,
            why: why,
            closeBehavior: behavior == .informational ? .informational : behavior == .failed ? .failed : .ok,
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
