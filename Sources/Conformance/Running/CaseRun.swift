package import Faults
package import SquallCore
package import WebSocketWire

/// A run of one case against one peer, without I/O: it takes bytes and times, and produces bytes, a deadline and a
/// verdict.
package struct CaseRun: PeerRun {
    enum Phase: Equatable {
        /// The handshake is in progress, or its response did not open the connection. The next phase is ``open`` or
        /// ``finished``.
        case opening
        case open
        /// The peer has sent a close frame, after which it may send no data, or the connection has failed. The run
        /// waits for the TCP connection to be closed. The next phase is ``finished``.
        case ending
        case finished
    }

    /// An action in the run's queue.
    enum Action {
        case write([UInt8])
        case turn
        case pause(TimeSpan, name: String?)
        case end(LinkEnd)
    }

    package let testCase: ConformanceCase
    /// The role that Squall plays in the connection.
    package let role: WebSocketRole
    package let agent: String

    var phase = Phase.opening
    var now: Instant
    let began: Instant
    var outputs: [PeerOutput] = []
    var log = WireLog()

    // The remaining work:
    var steps: [CaseStep] = []
    var nextStep = 0
    var queue = CaseActionQueue()
    /// The instant until which the queue is paused; nil if it is not paused.
    var wake: Instant?
    var wakeName: String?
    /// The deadline for the peer's reaction.
    var limit: Instant?
    var expectation: Expectation
    var echo: EchoProgress?

    // The state of the connection:
    var masks: SeededGenerator
    var parser = HTTPResponseParser()
    let key: [UInt8]
    var decoder: FrameDecoder
    var assembler: MessageAssembler
    var agreement: DeflateAgreement?
    var deflater: Deflation?

    // The events and the state of the connection so far:
    var events: [CaseEvent] = []
    var wasOpen = false
    var hasSentClose = false
    var localCode: UInt16?
    var closedByUs = false
    var remoteClose: ClosePayload?
    var wasClean = false
    var hasEnded = false
    var peerEnd: LinkEnd?
    var violation: String?
    /// Whether Squall dropped the connection after a missed deadline.
    var droppedByUs = false
    /// The reason why the case cannot test this peer; nil if it can.
    var unimplemented: String?
    /// Whether the event ``Expectation/needed`` has occurred.
    var hasNeeded = false
    /// The verdict on the handshake; nil until it is determined.
    var openingVerdict: (behavior: CaseBehavior, why: String)?
    /// The HTTP status of the server's handshake response.
    var status: Int?
    /// The server's handshake response if it did not open the connection.
    var refusal: HTTPResponseHead?

    package private(set) var result: ConformanceResult?

    /// The maximum size, in bytes, of a message from the peer.
    static let maxMessage = 64 * 1_048_576
    /// The time limit for the peer's handshake message. It is longer for heavy cases, because a peer that is busy with
    /// large transfers on other connections responds slowly.
    var openingTimeout: TimeSpan { testCase.isHeavy ? .seconds(30) : Expectation.timeout }
    var closeTimeout: TimeSpan { testCase.isHeavy ? .seconds(30) : .seconds(5) }
    /// The time limit for closing the TCP connection after the closing handshake.
    static let disconnectTimeout = TimeSpan.seconds(3)

    private init(_ testCase: ConformanceCase, role: WebSocketRole, agent: String, seed: Seed, at now: Instant) {
        self.testCase = testCase
        self.role = role
        self.agent = agent
        self.now = now
        began = now
        masks = seed.stream("masks/\(testCase.id)")
        var keys = seed.stream("key/\(testCase.id)")
        key = (0..<16).map { _ in UInt8(truncatingIfNeeded: keys.next()) }
        decoder = FrameDecoder(role: role, maxPayload: Self.maxMessage)
        assembler = MessageAssembler(maxSize: Self.maxMessage)
        switch testCase.plan {
        case .script(let steps, let expectation):
            self.steps = steps
            self.expectation = expectation
        case .echo(let plan):
            expectation = .answers([], limit: plan.limit)
            echo = EchoProgress(plan)
        case .opening(let plan):
            // The message that is echoed once after a valid handshake.
            let greeting = Payload.text("Hello")
            let early = plan.early.map { [CaseEvent.text(Array($0.utf8))] } ?? []
            steps = plan.expected == .opens ? [.frame(CaseFrame(.text, greeting))] : []
            expectation = .answers(plan.expected == .opens ? early + [.text(greeting.make())] : [])
        }
        if testCase.peerDoesNotEcho { expectNoEcho() }
    }

    /// Creates a run in which Squall is the client and tests a server; its output already contains the handshake
    /// request.
    ///
    /// `host` is the value of the request's `Host` header, and `path` the request target.
    package static func client(
        _ testCase: ConformanceCase,
        host: String,
        path: String,
        agent: String,
        seed: Seed = Seed(1),
        at now: Instant
    ) -> CaseRun {
        var run = CaseRun(testCase, role: .client, agent: agent, seed: seed, at: now)
        run.request(host: host, path: path)
        run.advance()
        return run
    }

    /// Creates a run in which Squall is the server and tests a client; its output contains the response to the client's
    /// handshake request.
    package static func server(
        _ testCase: ConformanceCase,
        accepting request: HTTPRequestHead,
        remainder: [UInt8] = [],
        agent: String,
        seed: Seed = Seed(1),
        at now: Instant
    ) -> CaseRun {
        var run = CaseRun(testCase, role: .server, agent: agent, seed: seed, at: now)
        run.log.bytes(request.encode(), .received, at: .zero, "HTTP")
        run.answer(request)
        if !remainder.isEmpty { run.read(remainder) }
        run.advance()
        return run
    }

    /// Removes and returns the outputs to perform now, in order.
    package mutating func takeOutputs() -> [PeerOutput] {
        defer { outputs = [] }
        return outputs
    }

    /// The instant by which ``tick(at:)`` must be called; nil if the run has finished. If the instant is in the past,
    /// `tick` must be called once other pending events are handled.
    package var deadline: Instant? {
        guard phase != .finished else { return nil }
        return [wake, limit].compactMap(\.self).min()
    }

    package mutating func receive(_ bytes: [UInt8], at now: Instant) {
        self.now = now
        guard phase != .finished else { return }
        log.count(received: bytes.count)
        read(bytes)
        advance()
    }

    /// Handles the peer's FIN or reset, or a connection that could not be opened.
    package mutating func receiveEnd(_ end: LinkEnd, at now: Instant) {
        self.now = now
        guard phase != .finished else { return }
        log.note(end == .fin ? "the peer ends the TCP connection" : "the peer resets the TCP connection", at: elapsed)
        peerEnd = end
        if phase == .opening, case .client = role { openingEnded() }
        finish()
    }

    package mutating func tick(at now: Instant) {
        self.now = now
        guard phase != .finished else { return }
        if let due = wake, due <= now {
            wake = nil
            if let name = wakeName, phase == .open, remoteClose == nil { events.append(.waited(name)) }
            wakeName = nil
        }
        advance()
        if let due = limit, due <= now { limitReached() }
    }

    var elapsed: TimeSpan { now - began }

    mutating func write(_ bytes: [UInt8]) {
        guard !hasEnded, !bytes.isEmpty else { return }
        log.count(sent: bytes.count)
        outputs.append(.write(bytes))
    }

    mutating func end(_ how: LinkEnd) {
        guard !hasEnded || how == .rst else { return }
        hasEnded = true
        log.note(how == .fin ? "Squall ends the TCP connection" : "Squall resets the TCP connection", at: elapsed)
        outputs.append(.end(how))
    }

    mutating func finish() {
        guard phase != .finished else { return }
        if !hasEnded { end(.fin) }
        phase = .finished
        let verdict = judge()
        result = ConformanceResult(
            id: testCase.id,
            agent: agent,
            testedRole: role == .client ? .server : .client,
            behavior: verdict.behavior,
            why: verdict.why,
            closeBehavior: verdict.closeBehavior,
            closeWhy: verdict.closeWhy,
            duration: elapsed,
            remoteCode: remoteClose?.code?.rawValue,
            remoteReason: remoteClose?.reason,
            localCode: localCode,
            wasClean: wasClean,
            closedByUs: closedByUs,
            failedByUs: violation != nil,
            droppedByUs: droppedByUs,
            events: events,
            expected: expectation.alternatives,
            log: log,
            status: status
        )
    }
}
