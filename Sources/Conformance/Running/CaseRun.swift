package import Faults
package import SquallCore
package import WebSocketWire

/// One case played against one peer, without I/O: bytes and time in, bytes, a deadline and a verdict out.
package struct CaseRun: PeerRun {
    enum Phase: Equatable {
        /// Our request is out, or theirs is answered in a way that opens nothing.
        case opening
        case open
        /// The peer's close has come, behind which it may send no data, or the connection has failed: the end of TCP is
        /// waited for.
        case ending
        case finished
    }

    /// What the queue does next.
    enum Act {
        case write([UInt8])
        case turn
        case pause(TimeSpan, name: String?)
        case end(LinkEnd)
    }

    package let subject: ConformanceCase
    /// Which end we are.
    package let role: WebSocketRole
    package let agent: String

    var phase = Phase.opening
    var now: Instant
    let began: Instant
    var outputs: [PeerOutput] = []
    var log = WireLog()

    // What is still to be done.
    var steps: [CaseStep] = []
    var nextStep = 0
    var queue = CaseActionQueue()
    /// The queue rests until then.
    var wake: Instant?
    var wakeName: String?
    /// The peer must have reacted by then.
    var limit: Instant?
    var expectation: Expectation
    var echo: EchoProgress?

    // The connection.
    var masks: SeededGenerator
    var parser = HTTPResponseParser()
    let key: [UInt8]
    var decoder: FrameDecoder
    var assembler: MessageAssembler
    var agreement: DeflateAgreement?
    var deflater: Deflation?

    // What has happened.
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
    /// We gave up waiting.
    var droppedByUs = false
    /// Why the peer cannot be judged by the case.
    var unimplemented: String?
    /// What the expectation needs has come.
    var hasNeeded = false
    /// Of a case about the handshake: what it said.
    var openingVerdict: (behavior: CaseBehavior, why: String)?
    /// Of a server's answer.
    var status: Int?
    /// Of a server's refusal.
    var refusal: HTTPResponseHead?

    package private(set) var result: ConformanceResult?

    /// The most that a peer may send in a message.
    static let maxMessage = 64 * 1_048_576
    /// How long a peer may take to answer our handshake, and our close: one that is busy with others' megabytes is late.
    var openingPatience: TimeSpan { subject.isHeavy ? .seconds(30) : Expectation.patience }
    var closingPatience: TimeSpan { subject.isHeavy ? .seconds(30) : .seconds(5) }
    /// How long a server may take to end the TCP connection behind the closing handshake.
    static let droppingPatience = TimeSpan.seconds(3)

    private init(_ subject: ConformanceCase, role: WebSocketRole, agent: String, seed: Seed, at now: Instant) {
        self.subject = subject
        self.role = role
        self.agent = agent
        self.now = now
        began = now
        masks = seed.stream("masks/\(subject.id)")
        var keys = seed.stream("key/\(subject.id)")
        key = (0..<16).map { _ in UInt8(truncatingIfNeeded: keys.next()) }
        decoder = FrameDecoder(role: role, maxPayload: Self.maxMessage)
        assembler = MessageAssembler(maxSize: Self.maxMessage)
        switch subject.plan {
        case .script(let steps, let expectation):
            self.steps = steps
            self.expectation = expectation
        case .echo(let plan):
            expectation = .answers([], limit: plan.limit)
            echo = EchoProgress(plan)
        case .opening(let plan):
            // What follows an opening that is right.
            let greeting = Payload.text("Hello")
            let early = plan.early.map { [CaseEvent.text(Array($0.utf8))] } ?? []
            steps = plan.expected == .opens ? [.frame(CaseFrame(.text, greeting))] : []
            expectation = .answers(plan.expected == .opens ? early + [.text(greeting.make())] : [])
        }
        if subject.isUnechoed { expectNoEcho() }
    }

    /// Judges a server: our request is in the output.
    ///
    /// `host`: As it stands in the request's Host. `path`: the request's target.
    package static func client(
        _ subject: ConformanceCase,
        host: String,
        path: String,
        agent: String,
        seed: Seed = Seed(1),
        at now: Instant
    ) -> CaseRun {
        var run = CaseRun(subject, role: .client, agent: agent, seed: seed, at: now)
        run.request(host: host, path: path)
        run.advance()
        return run
    }

    /// Judges a client: what it asked with is answered in the output.
    package static func server(
        _ subject: ConformanceCase,
        accepting request: HTTPRequestHead,
        remainder: [UInt8] = [],
        agent: String,
        seed: Seed = Seed(1),
        at now: Instant
    ) -> CaseRun {
        var run = CaseRun(subject, role: .server, agent: agent, seed: seed, at: now)
        run.log.bytes(request.encode(), .received, at: .zero, "HTTP")
        run.answer(request)
        if !remainder.isEmpty { run.read(remainder) }
        run.advance()
        return run
    }

    /// What is to be done now, each once, in order.
    package mutating func takeOutputs() -> [PeerOutput] {
        defer { outputs = [] }
        return outputs
    }

    /// When ``tick(at:)`` is due at the latest; it may lie in the past, then as soon as others had their turn.
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

    /// The peer has ended, or nobody could be reached at all.
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
        log.note(how == .fin ? "we end the TCP connection" : "we reset the TCP connection", at: elapsed)
        outputs.append(.end(how))
    }

    mutating func finish() {
        guard phase != .finished else { return }
        if !hasEnded { end(.fin) }
        phase = .finished
        let verdict = judge()
        result = ConformanceResult(
            id: subject.id,
            agent: agent,
            judged: role == .client ? .server : .client,
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
