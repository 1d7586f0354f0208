import ChatWire
import Conformance
import SquallCore
import Testing
import WebSocketWire

/// A chat client without I/O that violates one rule of the protocol, or none.
private struct ScriptedClient {
    enum Fault: CaseIterable {
        case none, speaksFirst, sendsBeforeConnected, acknowledgesNothing, acknowledgesOnce, leavesAtUnknown,
            saysNothing, garbles, ignoresReplays, forgetsItsSession, neverSyncs, syncsFromZero
        /// The client immediately resends a message that was rejected with a retry time.
        case neverWaits
    }

    let fault: Fault
    let wire: WireProfile
    var socket: WebSocketConnection
    private var acknowledged: Set<String> = []
    private var session: String?
    private var highest: Int64 = 0
    private var sent: String?

    init(_ fault: Fault, _ wire: WireProfile) {
        (self.fault, self.wire) = (fault, wire)
        socket = Self.dial(wire)
    }

    private static func dial(_ wire: WireProfile) -> WebSocketConnection {
        WebSocketConnection.client(
            host: "chat",
            path: wire.webSocketPath,
            key: Array(0..<16),
            masks: Seed(1).stream("m")
        )
    }

    mutating func comeBack() { socket = Self.dial(wire) }

    mutating func receive(_ bytes: [UInt8]) {
        for event in socket.receive(bytes) {
            switch event {
            case .opened where fault == .speaksFirst: say(.connect(.init(key: "key-1", session: nil)))
            case .received(.text(let text)): hear(text)
            case .opened, .received, .failed: break
            }
        }
    }

    /// Sends the user's message. Only a client with the fault `neverWaits` sends it again.
    mutating func send(_ text: String, to conversation: String) {
        let frame: JSON = [
            "type": "send", "client_message_id": "own-1", "conversation_id": .string(conversation),
            "text": .string(text),
        ]
        sent = frame.description
        socket.sendText(frame.description)
    }

    private mutating func hear(_ text: String) {
        guard fault != .saysNothing else { return }
        guard case .frame(let frame) = ServerFrame.decode(text, wire) else {
            if fault == .leavesAtUnknown { socket.sendClose(.protocolError) }
            return
        }
        switch frame {
        case .hello:
            let session = fault == .forgetsItsSession ? nil : session
            if fault != .speaksFirst { say(.connect(.init(key: "key-1", session: session))) }
            if fault == .sendsBeforeConnected { say(.sync(lastSequence: 0)) }
            if fault == .garbles { socket.sendText("{\"type\":\"no such frame\"}") }
        case .connected(let connected):
            session = connected.session
            guard highest > 0, fault != .neverSyncs else { return }
            say(.sync(lastSequence: fault == .syncsFromZero ? 0 : highest))
        case .message(let message): take(message)
        case .error: if fault == .neverWaits, let sent { socket.sendText(sent) }
        case .replay(let replay): if fault != .ignoresReplays { replay.messages.forEach { take($0) } }
        default: break
        }
    }

    private mutating func take(_ message: ChatMessage) {
        highest = max(highest, message.sequence)
        let isNew = acknowledged.insert(message.id).inserted
        guard fault != .acknowledgesNothing, isNew || fault != .acknowledgesOnce else { return }
        say(.messageAck(id: message.id))
    }

    private mutating func say(_ frame: ClientFrame) {
        socket.sendText(String(decoding: frame.encode(wire), as: UTF8.self))
    }
}

@Suite struct ChatClientTests {
    private static let target = ChatTarget()

    /// Runs the case with a client that reconnects whenever the case requires it. Returns nil if the case does not end.
    private func play(_ testCase: ChatCase, _ fault: ScriptedClient.Fault) throws -> ConformanceResult? {
        var client = ScriptedClient(fault, Self.target.wire)
        var run = ChatRun.server(testCase, Self.target, agent: "scripted", at: .zero)
        var now = Instant.zero
        for _ in 0..<1000 where run.result == nil {
            var moved = false
            for output in run.takeOutputs() {
                moved = true
                switch output {
                case .write(let bytes): client.receive(bytes)
                case .reconnect: client.comeBack()
                case .command(.send(let conversation, let text)): client.send(text, to: conversation)
                case .end: break
                }
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
        let cases = ChatCatalogue.cases(Self.target).filter {
            $0.testedRole == .client && ChatCatalogue.reasonNotRunnable($0, Self.target) == nil
        }
        return Set(try cases.filter { try play($0, fault)?.isFailure ?? true }.map(\.summary.id.description))
    }

    @Test("A client that repeats a refused message too early fails")
    func earlyRetry() throws {
        let cases = ChatCatalogue.cases(Self.target)
        let testCase = try #require(cases.first { $0.summary.id.description == "Q.7.6" })
        let result = try #require(try play(testCase, .neverWaits))
        #expect(result.isFailure && result.why == "received send, but expected silence")
    }

    @Test("A conforming client passes every chat case") func conformingClient() throws {
        #expect(try failures(.none) == [])
    }

    @Test(
        "A client that violates one rule fails the case of that rule and passes another case",
        arguments: [
            (ScriptedClient.Fault.speaksFirst, "Q.1.1", nil), (.sendsBeforeConnected, "Q.1.2", "Q.2.1"),
            (.acknowledgesNothing, "Q.2.1", "Q.1.1"), (.acknowledgesOnce, "Q.2.2", "Q.2.1"),
            (.leavesAtUnknown, "Q.3.1", "Q.2.1"),
            (.saysNothing, "Q.1.3", nil), (.garbles, "Q.1.2", nil),
            (.ignoresReplays, "Q.2.3", "Q.2.1"), (.acknowledgesOnce, "Q.2.4", "Q.2.3"),
            (.forgetsItsSession, "Q.6.1", "Q.2.1"), (.neverSyncs, "Q.6.2", "Q.6.1"), (.syncsFromZero, "Q.6.2", "Q.6.1"),
        ] as [(ScriptedClient.Fault, String, String?)]
    )
    private func violations(fault: ScriptedClient.Fault, caught: String, passed: String?) throws {
        let failed = try failures(fault)
        if !failed.contains(caught) { Issue.record("\(caught) did not fail, but \(failed.sorted())") }
        if let passed, failed.contains(passed) { Issue.record("\(passed) failed") }
    }
}
