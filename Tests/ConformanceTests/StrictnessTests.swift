import Conformance
import Deflate
import SquallCore
import Testing
import WebSocketWire

/// Tests whether a peer's handling of close frames, pings and compression windows is rated strict, tolerated or failed.
@Suite struct StrictnessTests {
    private func play(
        _ id: String,
        agreeing extensions: DeflateOffer? = nil,
        _ react: @escaping (WebSocketMessage) -> [WebSocketFrame]
    ) throws -> ConformanceResult {
        let testCase = try #require(ConformanceCatalogue.cases().first { $0.id.description == id })
        var server = ScriptedServer(agreeing: extensions, react)
        return try #require(testCase.play(against: &server))
    }

    @Test("A peer that never answers a close fails the cases about closing", arguments: ["T.1", "T.2", "T.8"])
    func noAnswerToTheClose(id: String) throws {
        let result = try play(id) { if case .close = $0 { [] } else { $0.echo } }
        #expect(result.behavior == .failed)
        #expect(result.why == "the closing handshake was not completed")
    }

    @Test("An unclean close that the published suite tolerates is not a failure")
    func uncleanAsPublished() throws {
        let result = try play("7.7.1") { if case .close = $0 { [] } else { $0.echo } }
        #expect(result.behavior == .ok && result.closeBehavior == .unclean)
    }

    @Test("Data after the peer's own close frame is a failure", arguments: ["7.1.2", "T.2", "1.1.2", "9.7.1"])
    func dataBehindTheClose(id: String) throws {
        let late = WebSocketFrame(.text, payload: Array("late".utf8))
        let result = try play(id) { if case .close = $0 { $0.echo + [late] } else { $0.echo } }
        #expect(result.behavior == .failed && result.failedByUs)
        #expect(result.why.contains("data after its own close frame"), "\(result.why)")
    }

    @Test("A pong after the peer's own close frame fails the late-ping case; a second close frame does not")
    func pongBehindTheClose() throws {
        let pong = WebSocketFrame(.pong)
        #expect(try play("7.1.3") { $0.echo }.behavior == .ok)
        let late = try play("7.1.3") { if case .close = $0 { $0.echo + [pong] } else { $0.echo } }
        #expect(late.behavior == .failed && late.why == #"received a pong of "" instead of nothing more"#)
        let twice = try play("7.1.2") { if case .close = $0 { $0.echo + $0.echo } else { $0.echo } }
        #expect(twice.behavior == .ok)
    }

    @Test("Answering only the last of ten pings is non-strict, and pongs out of order fail")
    func latestPing() throws {
        func pongs(_ answered: @escaping (Int) -> [Int]) throws -> ConformanceResult {
            try play("2.10") { message in
                guard case .ping(let bytes) = message, let number = bytes.last.map({ Int($0) - 0x30 }) else {
                    return message.echo
                }
                return answered(number).map { WebSocketFrame(.pong, payload: Array("payload-\($0)".utf8)) }
            }
        }
        #expect(try pongs { [$0] }.behavior == .ok)
        #expect(try pongs { $0 == 9 ? [9] : [] }.behavior == .nonStrict)
        #expect(try pongs { [2, 5, 9].contains($0) ? [$0] : [] }.behavior == .nonStrict)
        #expect(try pongs { $0 < 9 ? [$0] : [] }.behavior == .failed)
        #expect(try pongs { $0 == 9 ? [5, 2, 9] : [] }.behavior == .failed)
        #expect(try pongs { _ in [] }.behavior == .failed)
    }

    @Test("The last of a thousand pings must be answered, either before or after the text")
    func flood() throws {
        func isLast(_ bytes: [UInt8]) -> Bool { bytes.last == 8 }
        #expect(try play("T.5") { $0.echo }.behavior == .ok)
        let latest = try play("T.5") { if case .ping(let bytes) = $0, !isLast(bytes) { [] } else { $0.echo } }
        #expect(latest.behavior == .ok)
        var held: [WebSocketFrame] = []
        let behind = try play("T.5") { message in
            guard case .ping(let bytes) = message else {
                defer { held = [] }
                return message.echo + held
            }
            if isLast(bytes) { held = message.echo }
            return []
        }
        #expect(behind.behavior == .ok)
        for others in [false, true] {
            let result = try play("T.5") {
                if case .ping(let bytes) = $0, !others || isLast(bytes) { [] } else { $0.echo }
            }
            #expect(result.behavior == .failed && result.why == "missing a pong of 125 bytes")
        }
    }

    @Test(
        "A peer that sends its own pings receives pongs and is judged like any other peer",
        arguments: ["1.1.2", "5.3", "9.7.1", "T.3"]
    )
    func keepalive(id: String) throws {
        var (asked, answered) = (0, 0)
        let result = try play(id) { message in
            switch message {
            case .pong: answered += 1
            case .text:
                asked += 1
                return [WebSocketFrame(.ping, payload: Array("\(asked)".utf8))] + message.echo
            default: break
            }
            return message.echo
        }
        #expect(result.behavior == .ok, "\(result.why)")
        // The connection may close before the client answers the last ping.
        #expect(asked > 0 && answered >= asked - 1)
    }

    @Test("In the case about unanswered pings the judge sends no pong")
    func unansweredPings() throws {
        var answered = 0
        let result = try play("T.4") { message in
            if case .pong = message { answered += 1 }
            if case .text = message { return [WebSocketFrame(.ping)] + message.echo }
            return message.echo
        }
        #expect(result.behavior == .ok && answered == 0)
    }

    @Test("A server that exceeds its compression window of 512 bytes fails case D.16", arguments: [9, 15])
    func window(bits: Int) throws {
        var deflater = Deflater(windowBits: bits)
        let result = try play("D.16", agreeing: DeflateOffer(serverWindow: .bits(9), clientWindow: .unspecified)) {
            message in
            guard case .binary(let bytes) = message, let compressed = try? deflater.compress(bytes) else {
                return message.echo
            }
            var frame = WebSocketFrame(.binary, payload: compressed)
            frame.header.rsv1 = true
            return [frame]
        }
        #expect(result.behavior == (bits == 9 ? .ok : .failed), "\(result.why)")
    }

    @Test(
        "A window size that zlib does not support is judged only in cases without compression",
        arguments: [
            ("D.4", CaseBehavior.ok), ("D.8", .ok), ("D.14", .unimplemented), ("12.1.1", .unimplemented),
        ]
    )
    func windowOf256Bytes(id: String, behavior: CaseBehavior) throws {
        let result = try play(id, agreeing: DeflateOffer(clientWindow: .bits(8))) { $0.echo }
        #expect(result.behavior == behavior)
        if behavior == .unimplemented { #expect(result.why == "zlib does not support a window of 256 bytes") }
    }

    @Test(
        "A handshake sent byte by byte uses one write per byte, each in its own event-loop iteration",
        arguments: ["H.5", "I.5"]
    )
    func byteByByte(id: String) throws {
        let testCase = try #require(ConformanceCatalogue.own.first { $0.id.description == id })
        let request = WebSocketHandshake.request(host: "peer", path: "/", key: Array(0..<16))
        var run =
            id == "H.5"
            ? CaseRun.client(testCase, host: "peer", path: "/", agent: "peer", at: .zero)
            : CaseRun.server(testCase, accepting: request, agent: "peer", at: .zero)
        var head: [UInt8] = []
        var now = Instant.zero
        while !head.ends(with: Array("\r\n\r\n".utf8)) {
            let outputs = run.takeOutputs()
            guard outputs.count == 1, case .write(let bytes) = outputs[0], bytes.count == 1 else {
                Issue.record("\(outputs.count) writes at once behind \(head.count) bytes")
                return
            }
            head += bytes
            now = now + .seconds(1)
            run.tick(at: now)
        }
        #expect(run.result == nil)
        #expect(head.count > 100)
    }
}

extension [UInt8] {
    fileprivate func ends(with end: [UInt8]) -> Bool { suffix(end.count) == end[...] }
}
