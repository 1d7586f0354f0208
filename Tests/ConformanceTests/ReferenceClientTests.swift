import ChatWire
import Conformance
import Faults
import ReferenceClient
import SquallCore
import Testing
import WebSocketWire

/// Runs the reference client on a virtual clock. The case acts as its WebSocket peer, a stub answers its HTTP requests,
/// and writes to its store complete immediately.
private struct ReferenceRig {
    private let wire: WireProfile
    private var client: Client
    private var run: ChatRun
    private var now = Instant.zero
    /// The client's connection to the case.
    private var link: ConnectionID?
    private var inputs: [ClientInput] = [.command(.start)]

    init(_ testCase: ChatCase, _ target: ChatTarget, _ policy: Policy, _ profile: ClientProfile) {
        wire = target.wire
        client = Client(
            id: .only,
            profile: profile,
            policy: policy,
            wire: target.wire,
            key: target.key,
            seed: Seed(9),
            store: StoreImage()
        )
        run = ChatRun.server(testCase, target, agent: "reference", at: .zero)
    }

    /// Runs the case to completion. Returns nil if it does not complete.
    mutating func play() -> ConformanceResult? {
        for _ in 0..<100_000 {
            if let result = run.result { return result }
            if !inputs.isEmpty {
                for output in client.handle(inputs.removeFirst(), at: now) { perform(output) }
                continue
            }
            let outputs = run.takeOutputs()
            guard outputs.isEmpty else {
                for output in outputs { perform(output) }
                continue
            }
            guard let due = [run.deadline, client.nextDeadline].compactMap(\.self).min() else { return nil }
            now = max(now, due)
            if let deadline = client.nextDeadline, deadline <= now { inputs.append(.timer) } else { run.tick(at: now) }
        }
        return nil
    }

    private mutating func perform(_ output: ClientOutput) {
        switch output {
        case .connect(let id):
            guard link == nil else { return inputs.append(.connectFailed(id, .refused)) }
            link = id
            inputs.append(.opened(id))
        case .write(let id, let bytes) where id == link: run.receive(bytes, at: now)
        case .end(let id, let how) where id == link: run.receiveEnd(how, at: now)
        case .request(let id, let request): inputs.append(.response(id, answer(request)))
        case .persist(let number, _): inputs.append(.persisted(number))
        case .crashed(let reason): Issue.record("the client crashed: \(reason)")
        case .write, .end, .cancel, .transfer, .observe, .phone: break
        }
    }

    private mutating func perform(_ output: PeerOutput) {
        switch output {
        case .write(let bytes): if let link { inputs.append(.received(link, bytes)) }
        case .end(let how): end(how)
        case .reconnect(let how, _):
            if let how { end(how) }
            link = nil
        case .command(.send(let conversation, let text)):
            inputs.append(.command(.send(conversation: conversation, text: text, label: nil)))
        }
    }

    private mutating func end(_ how: LinkEnd) {
        if let link { inputs.append(.ended(link, how == .fin ? .endOfStream : .reset)) }
    }

    private func answer(_ request: ChatRequest) -> ChatResponse {
        var parser = HTTPResponseParser()
        let asked = HTTPRequestHead(method: request.method, target: request.target)
        parser.append(ChatHTTPStub.answer(asked, wire))
        var response = ChatResponse(status: 0)
        while let event = try? parser.next() {
            switch event {
            case .head(let head):
                response.status = head.status
                response.headers = head.headers.fields.map { ($0.name.lowercased(), $0.value) }
            case .body(let piece): response.body += piece
            case .end: return response
            }
        }
        Issue.record("the stand-in's answer to \(request.target) is not whole")
        return response
    }
}

@Suite struct ReferenceClientTests {
    private static let target = ChatTarget()
    private static let means = ChatCatalogue.Facilities(hasOwnClients: true, commands: ["send"])

    private func reasons(
        _ policy: Policy = .reference,
        _ profile: ClientProfile = ClientProfile(),
        of pattern: String = "*"
    )
        -> [String]
    {
        ChatCatalogue.cases(Self.target).filter {
            $0.testedRole == .client && $0.summary.id.matches(pattern)
                && ChatCatalogue.reasonNotRunnable($0, Self.target, Self.means) == nil
        }.compactMap { testCase in
            var rig = ReferenceRig(testCase, Self.target, policy, profile)
            let result = rig.play()
            return result?.behavior == .ok ? nil : "\(testCase.summary.id): \(result?.why ?? "no end")"
        }
    }

    @Test("The reference client passes every chat case for clients")
    func passes() {
        #expect(reasons() == [])
    }

    @Test(
        "The reference client with a known defect fails the case that tests for that defect",
        arguments: [
            ("authRetryLoop", "Q.6.4"), ("sendsBeforeAuth", "Q.7.2"), ("noAck", "Q.2.1"), ("noIdempotencyKey", "Q.7.3"),
            ("fullSyncOnReconnect", "Q.6.2"),
        ]
    )
    func defects(name: String, id: String) throws {
        var (policy, profile) = (Policy.reference, ClientProfile())
        try #require(Defect.named(name)).apply(to: &policy, &profile)
        let failed = reasons(policy, profile, of: id)
        #expect(failed.contains { $0.hasPrefix("\(id):") }, "\(failed)")
    }
}
