import ChatWire
import Conformance
import Foundations
import Testing
import WebSocketWire

/// A chat client without I/O that keeps the rules but for one.
private struct ScriptedClient {
    enum Fault: CaseIterable {
        case none, speaksFirst, sendsBeforeConnected, acknowledgesNothing, acknowledgesOnce, leavesAtUnknown,
            saysNothing, garbles
    }

    let fault: Fault
    let wire: WireProfile
    var socket: WebSocketConnection
    private var acknowledged: Set<String> = []

    init(_ fault: Fault, _ wire: WireProfile) {
        (self.fault, self.wire) = (fault, wire)
        socket = WebSocketConnection.client(
            host: "chat",
            path: wire.webSocketPath,
            key: Array(0..<16),
            masks: Seed(1).stream("m")
        )
    }

    mutating func receive(_ bytes: [UInt8]) {
        for event in socket.receive(bytes) {
            switch event {
            case .opened where fault == .speaksFirst: say(.connect(.init(key: "key-1", session: nil)))
            case .received(.text(let text)): hear(text)
            case .opened, .received, .failed: break
            }
        }
    }

    private mutating func hear(_ text: String) {
        guard fault != .saysNothing else { return }
        guard case .frame(let frame) = ServerFrame.decode(text, wire) else {
            if fault == .leavesAtUnknown { socket.sendClose(.protocolError) }
            return
        }
        switch frame {
        case .hello:
            if fault != .speaksFirst { say(.connect(.init(key: "key-1", session: nil))) }
            if fault == .sendsBeforeConnected { say(.sync(lastSequence: 0)) }
            if fault == .garbles { socket.sendText("{\"type\":\"no such frame\"}") }
        case .message(let message):
            let isNew = acknowledged.insert(message.id).inserted
            guard fault != .acknowledgesNothing, isNew || fault != .acknowledgesOnce else { return }
            say(.messageAck(id: message.id))
        default: break
        }
    }

    private mutating func say(_ frame: ClientFrame) {
        socket.sendText(String(decoding: frame.encode(wire), as: UTF8.self))
    }
}

@Suite struct ChatClientTests {
    private static let target = ChatTarget()

    private func play(_ subject: ChatCase, _ fault: ScriptedClient.Fault) throws -> ConformanceResult? {
        var client = ScriptedClient(fault, Self.target.wire)
        var parser = HTTPRequestParser()
        parser.append(client.socket.takeOutput())
        guard case .head(let head)? = try parser.next() else { return nil }
        var run = try #require(ChatRun.server(subject, Self.target, accepting: head, agent: "scripted", at: .zero))
        var now = Instant.zero
        for _ in 0..<1000 where run.result == nil {
            var moved = false
            for output in run.takeOutputs() {
                moved = true
                if case .write(let bytes) = output { client.receive(bytes) }
            }
            let bytes = client.socket.takeOutput()
            if !bytes.isEmpty {
                moved = true
                run.receive(bytes, at: now)
            }
            guard !moved, let deadline = run.deadline else { continue }
            now = max(now, deadline)
            run.tick(at: now)
        }
        return run.result
    }

    private func failures(_ fault: ScriptedClient.Fault) throws -> Set<String> {
        let cases = ChatCatalogue.cases(Self.target).filter { $0.judged == .client }
        return Set(try cases.filter { try play($0, fault)?.isFailure ?? true }.map(\.summary.id.description))
    }

    @Test func oneThatKeepsTheRulesPasses() throws {
        #expect(try failures(.none) == [])
    }

    @Test(
        "One that breaks a rule fails the rule's case, and not the others'",
        arguments: [
            (ScriptedClient.Fault.speaksFirst, "Q.1.1", nil), (.sendsBeforeConnected, "Q.1.2", "Q.2.1"),
            (.acknowledgesNothing, "Q.2.1", "Q.1.1"), (.acknowledgesOnce, "Q.2.2", "Q.2.1"),
            (.leavesAtUnknown, "Q.3.1", "Q.2.1"),
            (.saysNothing, "Q.1.3", nil), (.garbles, "Q.1.2", nil),
        ] as [(ScriptedClient.Fault, String, String?)]
    )
    private func oneThatDoesNot(fault: ScriptedClient.Fault, caught: String, passed: String?) throws {
        let failed = try failures(fault)
        if !failed.contains(caught) { Issue.record("\(caught) did not fail, but \(failed.sorted())") }
        if let passed, failed.contains(passed) { Issue.record("\(passed) failed") }
    }
}
