import Conformance
import SquallCore
import Testing
import WebSocketWire

/// A server that validates nothing: it echoes every message and answers every ping and close.
private struct CarelessServer: SilentPeer {
    private var parser = HTTPRequestParser()
    private var isOpen = false
    private var queue: [UInt8] = []
    private var output: [UInt8] = []
    private var message: [UInt8] = []
    private var opcode = Opcode.text
    private(set) var shouldEnd = false

    mutating func receive(_ bytes: [UInt8]) {
        if isOpen {
            queue += bytes
        } else {
            parser.append(bytes)
            guard case .head(let head)? = try? parser.next(), let answer = try? WebSocketHandshake.accept(head) else {
                return
            }
            _ = try? parser.next()
            isOpen = true
            output += answer.encode()
            queue += parser.takeRemainder()
        }
        while isOpen, let header = FrameHeader.parse(queue), queue.count - header.size >= Int(clamping: header.length) {
            let end = header.size + Int(header.length)
            var payload = Array(queue[header.size..<end])
            queue.removeFirst(end)
            if let key = header.maskKey {
                for index in payload.indices {
                    payload[index] ^= UInt8(truncatingIfNeeded: key >> (24 - 8 * UInt32(index % 4)))
                }
            }
            take(header, payload)
        }
    }

    private mutating func take(_ header: FrameHeader, _ payload: [UInt8]) {
        switch header.opcode {
        case .ping: WebSocketFrame(.pong, payload: payload).append(to: &output)
        case .pong: break
        case .close:
            WebSocketFrame(.close, payload: payload).append(to: &output)
            (shouldEnd, isOpen) = (true, false)
        default:
            if header.opcode != .continuation { (opcode, message) = (header.opcode, []) }
            message += payload
            if header.fin { WebSocketFrame(opcode, payload: message).append(to: &output) }
        }
    }

    mutating func receiveEnd() { shouldEnd = true }

    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }
}

/// An echo server that alters every frame in the same way before sending it.
private struct TamperedServer: SilentPeer {
    var server = EchoServer()
    let tamper: (WebSocketFrame) -> WebSocketFrame?
    private var isOpen = false

    init(_ tamper: @escaping (WebSocketFrame) -> WebSocketFrame?) {
        self.tamper = tamper
    }

    mutating func receive(_ bytes: [UInt8]) { server.receive(bytes) }
    mutating func receiveEnd() { server.receiveEnd() }
    var shouldEnd: Bool { server.shouldEnd }

    mutating func takeOutput() -> [UInt8] {
        let bytes = server.takeOutput()
        guard isOpen || bytes.isEmpty else {
            isOpen = true
            return bytes
        }
        var (decoder, changed) = (FrameDecoder(role: .client, maxPayload: 1 << 30), [UInt8]())
        decoder.append(bytes)
        while let frame = try? decoder.next() { tamper(frame)?.append(to: &changed) }
        return changed
    }
}

/// A server that accepts the handshake and sends nothing afterwards.
private struct MuteServer: SilentPeer {
    private var server = EchoServer()
    private var hasAnswered = false
    mutating func receive(_ bytes: [UInt8]) { if !hasAnswered { server.receive(bytes) } }
    mutating func receiveEnd() {}
    var shouldEnd: Bool { false }
    mutating func takeOutput() -> [UInt8] {
        guard !hasAnswered else { return [] }
        let bytes = server.takeOutput()
        hasAnswered = !bytes.isEmpty
        return bytes
    }
}

/// Tests that a peer with a known fault fails the cases for that fault, which shows that these cases can fail.
@Suite struct BrokenPeersTests {
    private static let cases = ConformanceCatalogue.published().filter { !["9", "12", "13"].contains($0.id.category) }

    private func failures(_ peer: () -> some SilentPeer, _ cases: [ConformanceCase] = cases) -> Set<String> {
        Set(
            cases.compactMap { testCase in
                var peer = peer()
                let result = testCase.play(against: &peer)
                return result?.behavior == .failed || result == nil ? testCase.id.description : nil
            }
        )
    }

    @Test(
        "A server that closes early is reported with its code and reason",
        arguments: [
            ("1.1.2", "missing a text of 125 bytes"), ("9.7.2", "0 of 1000 messages were echoed"),
        ]
    )
    func givesUp(id: String, what: String) throws {
        var server = TamperedServer { frame in
            frame.header.opcode == .text
                ? WebSocketFrame(.close, payload: [0x03, 0xF1] + Array("too much".utf8)) : frame
        }
        let testCase = try #require(ConformanceCatalogue.published().first { $0.id.description == id })
        let result = try #require(testCase.play(against: &server))
        #expect(result.behavior == .failed)
        #expect(result.why == "\(what); the peer closed with 1009, \"too much\"")
    }

    @Test("A server that checks nothing fails exactly the cases with illegal input")
    func careless() {
        let mustRefuse = Self.cases.filter { testCase in
            guard case .script(_, let expectation) = testCase.plan, !expectation.isInformational else { return false }
            switch expectation.ending {
            case .peers: return true
            case .ours(_, let isClean): return !isClean
            case .any: return false
            }
        }
        let failed: Set<String> = failures { CarelessServer() }
        let due = Set(mustRefuse.map(\.id.description))
        #expect(failed.subtracting(due).sorted() == [])
        // In case 3.7, a server that merely answers the close frame sends the same bytes as one that fails the
        // connection without a code, so the case cannot tell them apart.
        #expect(due.subtracting(failed).sorted() == ["3.7"])
        #expect(mustRefuse.count > 90)
    }

    @Test("A server that sends nothing fails every case except informational ones")
    func mute() {
        let judged = Self.cases.filter { testCase in
            if case .script(_, let expectation) = testCase.plan { !expectation.isInformational } else { true }
        }
        let failed = failures { MuteServer() }
        // These cases expect no frames before the close frame, so a server that sends nothing differs only in how the
        // connection ends.
        let onlyClosing = Set(
            judged.filter { $0.id.matches("7") || ["2.7", "2.8"].contains($0.id.description) }.map(\.id.description)
        )
        #expect(failed.isSuperset(of: Set(judged.map(\.id.description)).subtracting(onlyClosing)))
        for testCase in judged where onlyClosing.contains(testCase.id.description) {
            var peer = MuteServer()
            let result = testCase.play(against: &peer)
            #expect(result?.closeBehavior == .unclean || result?.behavior == .failed, "\(testCase.id)")
        }
    }

    private struct Tamper: Sendable {
        var name: String
        /// The ids of the cases that must fail; `passes` is the id of a case that must pass.
        var caught: [String]
        var passes: String
        var change: @Sendable (WebSocketFrame) -> WebSocketFrame?
    }

    private static func on(
        _ opcode: Opcode,
        _ change: @escaping @Sendable (inout WebSocketFrame) -> Void
    ) -> @Sendable (WebSocketFrame) -> WebSocketFrame? {
        { frame in
            var frame = frame
            if frame.header.opcode == opcode { change(&frame) }
            return frame
        }
    }

    private static let tampers = [
        Tamper(name: "no pongs", caught: ["2.1", "2.9", "5.6"], passes: "1.1.2") {
            $0.header.opcode == .pong ? nil : $0
        },
        Tamper(
            name: "another pong",
            caught: ["2.2", "2.4", "2.10"],
            passes: "2.1",
            change: on(.pong) { frame in if !frame.payload.isEmpty { frame.payload[0] ^= 1 } }
        ),
        Tamper(
            name: "a byte of a text changed",
            caught: ["1.1.2", "6.1.3", "7.1.1"],
            passes: "1.2.2",
            change: on(.text) { frame in if !frame.payload.isEmpty { frame.payload[0] ^= 1 } }
        ),
        Tamper(
            name: "texts as binary",
            caught: ["1.1.1", "6.2.1", "5.3"],
            passes: "1.2.2",
            change: on(.text) { $0 = WebSocketFrame(.binary, payload: $0.payload) }
        ),
        Tamper(
            name: "every close with 1001",
            caught: ["7.1.2", "7.7.1", "7.9.1", "7.5.1"],
            passes: "7.7.2",
            change: on(.close) { $0 = WebSocketFrame(.close, payload: [0x03, 0xE9]) }
        ),
        Tamper(
            name: "masked frames",
            caught: ["1.1.2", "2.2", "7.1.1"],
            passes: "3.7",
            change: { frame in
                frame.header.opcode == .close
                    ? frame : WebSocketFrame(frame.header.opcode, maskKey: 7, payload: frame.payload)
            }
        ),
        Tamper(
            name: "lengths too long",
            caught: ["1.1.2", "1.2.2"],
            passes: "7.7.1",
            change: { frame in
                var frame = frame
                if !frame.header.opcode.isControl { frame.header.lengthForm = .bits64 }
                return frame
            }
        ),
        Tamper(
            name: "a close code that must not be sent",
            caught: ["7.1.1", "7.3.1"],
            passes: "3.1",
            change: on(.close) {
                if $0.payload.prefix(2) == [0x03, 0xE8] || $0.payload.isEmpty {
                    $0 = WebSocketFrame(.close, payload: [0x03, 0xED])
                }
            }
        ),
    ]

    @Test("A server with modified frames fails the cases that the modification breaks", arguments: tampers.indices)
    func tampered(place: Int) {
        let tamper = Self.tampers[place]
        let failed: Set<String> = failures { TamperedServer(tamper.change) }
        for id in tamper.caught where !failed.contains(id) { Issue.record("\(tamper.name): \(id) did not fail") }
        if failed.contains(tamper.passes) { Issue.record("\(tamper.name): \(tamper.passes) failed") }
    }
}
