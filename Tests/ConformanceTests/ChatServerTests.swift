import ChatWire
import Conformance
import FakeServer
import Faults
import Foundations
import Testing
import WebSocketWire

/// The fake server, each connection as one of its links, on a clock of its own.
private struct ChatRig {
    private var server: ChatServer
    private var run: ChatRun
    private var now = Instant.zero
    private var link: LinkID
    private var number = 1
    private let client = ClientID("squall")
    private var isGone = false

    init(_ subject: ChatCase, _ target: ChatTarget, _ server: ChatServer) {
        self.server = server
        run = ChatRun.client(subject, target, host: "chat", path: target.wire.webSocketPath, agent: "fake", at: .zero)
        link = LinkID(client, 1)
        give(.accepted(link))
    }

    /// Plays to the end; nil where none comes.
    mutating func play() -> ConformanceResult? {
        for _ in 0..<10_000 {
            if let result = run.result { return result }
            let outputs = run.takeOutputs()
            guard outputs.isEmpty else {
                for output in outputs { perform(output) }
                continue
            }
            guard let due = [run.deadline, server.nextDeadline].compactMap(\.self).min() else { return nil }
            now = max(now, due)
            if let deadline = server.nextDeadline, deadline <= now { give(.timer) } else { run.tick(at: now) }
        }
        return nil
    }

    private mutating func perform(_ output: PeerOutput) {
        switch output {
        case .write(let bytes): give(.received(link, bytes))
        case .end(let how): give(.ended(link, how))
        case .reconnect:
            give(.ended(link, .rst))
            number += 1
            link = LinkID(client, number)
            isGone = false
            give(.accepted(link))
        }
    }

    private mutating func give(_ input: ServerInput) {
        for output in server.handle(input, at: now) {
            switch output {
            case .write(let to, let bytes) where to == link && !isGone: run.receive(bytes, at: now)
            case .end(let to, let how) where to == link && !isGone:
                isGone = true
                run.receiveEnd(how, at: now)
            case .write, .end, .listen, .observe: break
            }
        }
    }
}

@Suite struct ChatServerTests {
    private func failures(_ target: ChatTarget = ChatTarget(), policy: ServerPolicy = ServerPolicy()) -> [String] {
        ChatCatalogue.cases(target).filter { $0.judged == .server }.compactMap { subject in
            var rig = ChatRig(subject, target, ChatServer(policy: policy, wire: target.wire, seed: Seed(5)))
            let result = rig.play()
            guard result == nil || result?.isFailure == true else { return nil }
            return "\(subject.summary.id): \(result?.why ?? "no end")"
        }
    }

    @Test("The fake server passes every case of its own protocol")
    func fakeServer() {
        #expect(failures() == [])
    }

    @Test(
        "A server with a known defect fails what the defect breaks",
        arguments: [("noReplay", "P.3.1"), ("noMessageId", "P.3.1")]
    )
    func defects(name: String, id: String) throws {
        var policy = ServerPolicy()
        try #require(ServerDefect.named(name)).change(&policy)
        let failed = failures(policy: policy)
        #expect(failed.contains { $0.hasPrefix("\(id):") }, "\(failed)")
    }

    @Test("And under other names")
    func renamed() {
        var wire = WireProfile(timestampForm: .milliseconds, webSocketPath: "/chat/live")
        for role in FrameRole.allCases { wire[type: role] = "x-\(role.rawValue)" }
        for field in WireField.allCases { wire[field] = "f\(field.rawValue)" }
        #expect(failures(ChatTarget(wire: wire)) == [])
    }

    @Test("Every field of every frame has its cases")
    func generated() {
        let cases = ChatCatalogue.cases(ChatTarget())
        #expect(Set(cases.map(\.summary.id)).count == cases.count)
        let fields = FrameShape.all.filter { $0.speaker == .client && $0.role != .connect }.flatMap(\.fields)
        #expect(cases.filter { $0.summary.id.matches("P.7") }.count == fields.count)
        #expect(cases.filter { $0.summary.id.matches("P.6") }.count == fields.filter(\.required).count)
        #expect(cases.filter { $0.summary.id.matches("P.4") }.count == FrameRole.fromClient.count - 3)
        #expect(cases.contains { $0.judged == .client })
    }
}
