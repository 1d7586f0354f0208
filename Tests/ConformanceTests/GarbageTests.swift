import ChatWire
import Conformance
import Faults
import SquallCore
import Testing
import WebSocketWire

/// A server that accepts the handshake and then sends random bytes in pieces of random size.
private struct BabblingServer: SilentPeer {
    private var server = EchoServer()
    private var generator: SeededGenerator
    private var isOpen = false
    private var left: Int

    init(_ seed: UInt64) {
        generator = Seed(seed).stream("babble")
        left = Int(generator.below(12))
    }

    mutating func receive(_ bytes: [UInt8]) { if !isOpen { server.receive(bytes) } }
    mutating func receiveEnd() { left = 0 }
    var shouldEnd: Bool { isOpen && left == 0 }

    mutating func takeOutput() -> [UInt8] {
        guard isOpen else {
            let bytes = server.takeOutput()
            isOpen = !bytes.isEmpty
            return bytes
        }
        guard left > 0 else { return [] }
        left -= 1
        let payload = (0..<generator.below(30)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        guard generator.below(3) > 0 else { return payload + [0x81] }
        let opcodes: [Opcode] = [.text, .binary, .continuation, .ping, .pong, .close]
        let opcode = opcodes[Int(generator.below(6))]
        return WebSocketFrame(fin: generator.below(3) > 0, opcode, payload: payload).encode()
    }
}

/// Tests that every case reaches a verdict in bounded virtual time, whatever the peer sends.
@Suite struct GarbageTests {
    private static let cases = ConformanceCatalogue.cases().filter {
        $0.testedRoles.contains(.server) && !["9", "12", "13"].contains($0.id.category)
            && !["D.13", "T.2"].contains($0.id.description)
    }

    @Test("Every case terminates when the peer sends random bytes") func everyCaseEnds() {
        var behaviors: [CaseBehavior: Int] = [:]
        for (index, testCase) in Self.cases.enumerated() {
            for round in 0..<4 {
                var peer = BabblingServer(UInt64(index * 4 + round))
                guard let result = testCase.play(against: &peer) else {
                    Issue.record("\(testCase.id) has no end")
                    continue
                }
                behaviors[result.behavior, default: 0] += 1
                if result.duration >= .seconds(60) { Issue.record("\(testCase.id) took \(result.duration)") }
                if result.log.entries.count > 200 { Issue.record("\(testCase.id) logged too much") }
            }
        }
        #expect(behaviors[.failed, default: 0] > Self.cases.count)
    }

    @Test("Every case terminates when the peer answers the handshake with random bytes")
    func handshakes() {
        var generator = Seed(5).stream("handshakes")
        for testCase in Self.cases.prefix(60) {
            var run = CaseRun.client(testCase, host: "peer", path: "/", agent: "peer", at: .zero)
            _ = run.takeOutputs()
            for _ in 0..<8 where run.result == nil {
                let bytes = (0..<generator.below(50)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
                run.receive(generator.below(2) == 0 ? bytes : Array("HTTP/1.1 101 x\r\n".utf8) + bytes, at: .zero)
            }
            for _ in 0..<8 where run.result == nil { run.tick(at: run.deadline ?? .zero) }
            if run.result == nil { Issue.record("\(testCase.id) has no end") }
        }
    }

    @Test("Every chat case terminates when the peer sends random text in valid frames")
    func chat() {
        var generator = Seed(6).stream("chat")
        let target = ChatTarget()
        for testCase in ChatCatalogue.cases(target)
        where testCase.testedRole == .server && !testCase.summary.id.matches("R") {
            var run = ChatRun.client(testCase, target, host: "peer", path: "/ws", agent: "peer", at: .zero)
            var server = EchoServer()
            for output in run.takeOutputs() { if case .write(let bytes) = output { server.receive(bytes) } }
            run.receive(server.takeOutput(), at: .zero)
            let texts = [
                "", "{}", "[", #"{"type":"hello"}"#, #"{"type":"hello","version":"1","auth_version":1}"#,
                #"{"type":7}"#, "null",
            ]
            for _ in 0..<12 where run.result == nil {
                let text = texts[Int(generator.below(UInt64(texts.count)))]
                run.receive(WebSocketFrame(.text, payload: Array(text.utf8)).encode(), at: .zero)
            }
            for _ in 0..<20 where run.result == nil { run.tick(at: run.deadline ?? .zero) }
            if run.result == nil { Issue.record("\(testCase.summary.id) has no end") }
        }
    }

    @Test("Every HTTP case terminates when the responses are randomly mutated")
    func routes() {
        var generator = Seed(8).stream("routes")
        let target = ChatTarget()
        let answers = [
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{\"status\":\"ok\"}",
            "HTTP/1.1 401 No\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            "HTTP/1.0 404 Not Found\r\n\r\n[[[[", "HTTP/1.1 100 Continue\r\n\r\n", "", "SSH-2.0",
        ]
        for testCase in ChatCatalogue.cases(target) where testCase.summary.id.matches("R") {
            var run = ChatRun.client(testCase, target, host: "peer", path: "/ws", agent: "peer", at: .zero)
            for _ in 0..<12 where run.result == nil {
                _ = run.takeOutputs()
                var bytes = Array(answers[Int(generator.below(UInt64(answers.count)))].utf8)
                if generator.below(2) == 0, !bytes.isEmpty {
                    bytes[Int(generator.below(UInt64(bytes.count)))] = UInt8(truncatingIfNeeded: generator.next())
                }
                run.receive(bytes, at: .zero)
                if generator.below(2) == 0 { run.receiveEnd(generator.below(2) == 0 ? .fin : .rst, at: .zero) }
            }
            for _ in 0..<20 where run.result == nil { run.tick(at: run.deadline ?? .zero) }
            if run.result == nil { Issue.record("\(testCase.summary.id) has no end") }
        }
    }
}
