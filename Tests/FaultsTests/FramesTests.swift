import Faults
import SquallCore
import Testing
import WebSocketWire

@Suite struct FramesTests {
    static let request = "GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
    static let answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"

    private func text(_ text: String, fin: Bool = true, _ opcode: Opcode = .text, mask: UInt32? = 0xA1B2_C3D4)
        -> [UInt8]
    {
        WebSocketFrame(fin: fin, opcode, maskKey: mask, payload: Array(text.utf8)).encode()
    }

    /// Parses the frames that the server receives after the handshake request.
    private func frames(_ bytes: [UInt8]) throws -> [String] {
        var decoder = FrameDecoder(role: .server, maxPayload: 1 << 20)
        decoder.append(bytes)
        var list: [String] = []
        while let frame = try decoder.next() {
            list.append(
                "\(frame.header.opcode)\(frame.header.fin ? "" : "...") \(String(decoding: frame.payload, as: UTF8.self))"
            )
        }
        return list
    }

    /// Sends the handshake request and these frames, once for each of several chunk sizes. Returns the frames that
    /// reach the server.
    private func deliver(
        _ fault: Fault.Frames?,
        _ sent: [[UInt8]],
        then end: ((inout Stage) -> Void)? = nil
    ) throws -> [String] {
        var outcome: [String]?
        for size in [1, 2, 3, 7, 1 << 20] {
            var stage = Stage(seed: 1)
            if let fault { _ = stage.begin(.frames(fault), as: "f", at: 0) }
            stage.connect(1)
            let all = Array(Self.request.utf8) + sent.flatMap { $0 }
            for start in stride(from: 0, to: all.count, by: size) {
                let piece = Array(all[start..<min(start + size, all.count)])
                stage.play(.received(LinkID(.only, 1), from: .client, piece), at: 1)
            }
            end?(&stage)
            let got = stage.written[.server] ?? []
            #expect(got.starts(with: Array(Self.request.utf8)))
            let seen = try frames(Array(got.dropFirst(Self.request.utf8.count)))
            if let outcome { #expect(seen == outcome, "in pieces of \(size)") }
            outcome = seen
        }
        return outcome ?? []
    }

    private func fault(_ action: Fault.Frames.Action, _ change: (inout Fault.Frames) -> Void = { _ in }) -> Fault.Frames
    {
        var fault = Fault.Frames(action)
        change(&fault)
        return fault
    }

    private var three: [[UInt8]] {
        [text(#"{"type":"send","n":1}"#), text(#"{"type":"ack","n":2}"#), text(#"{"type":"send","n":3}"#)]
    }

    @Test("'drop' with a type removes exactly the messages of that type")
    func aMessageIsChosenByItsTypeAndDropped() throws {
        let seen = try deliver(fault(.drop) { $0.type = "ack" }, three)
        #expect(seen == [#"text {"type":"send","n":1}"#, #"text {"type":"send","n":3}"#])
    }

    @Test("nth and count select exactly the given messages") func theNthIsChosenAndNoOther() throws {
        let change: (inout Fault.Frames) -> Void = { ($0.type, $0.nth, $0.count) = ("send", 2, 1) }
        #expect(try deliver(fault(.drop, change), three + three).count == 5)
    }

    @Test("Each frame action changes the selected message and no other") func otherActions() throws {
        let (a, b, c) = ("text a", "text b", "text c")
        let sent = [text("a"), text("b"), text("c")]
        func second(_ action: Fault.Frames.Action, _ change: (inout Fault.Frames) -> Void = { _ in }) throws -> [String]
        {
            try deliver(
                fault(action) {
                    ($0.nth, $0.count) = (2, 1)
                    change(&$0)
                },
                sent
            )
        }
        #expect(try second(.duplicate) == [a, b, b, c])
        #expect(try second(.reorder) == [a, c, b])
        #expect(try second(.truncate) == [a, "text ", c])
        #expect(try second(.rewrite) { $0.text = "other" } == [a, "text other", c])
        #expect(try second(.close) { $0.code = 1012 } == [a, "close \u{3}\u{FFFD}"])
        #expect(try second(.fin) == [a])
        let corrupted = try second(.corrupt)
        #expect(corrupted.count == 3 && corrupted[1] != b && [corrupted[0], corrupted[2]] == [a, c])
    }

    /// RFC 6455 sections 5.5 and 5.5.1 limit the payload of control frames.
    @Test("A rewritten or truncated control frame is still legal") func controlFramesStayLegal() throws {
        func bytes(_ fault: Fault.Frames, _ sent: [UInt8]) throws -> [UInt8] {
            var stage = Stage(seed: 1)
            _ = stage.begin(.frames(fault), as: "f", at: 0)
            stage.connect(1)
            stage.play(.received(LinkID(.only, 1), from: .client, Array(Self.request.utf8) + sent), at: 1)
            var decoder = FrameDecoder(role: .server, maxPayload: 1 << 20)
            decoder.append(Array((stage.written[.server] ?? []).dropFirst(Self.request.utf8.count)))
            return try #require(try decoder.next()).payload
        }
        let long = String(repeating: "a", count: 200)
        for content in [Fault.Frames.Content.ping, .pong] {
            let rewrite = fault(.rewrite) { ($0.content, $0.text) = (content, long) }
            let payload = try bytes(rewrite, text("p", content == .ping ? .ping : .pong))
            #expect(payload == Array(long.utf8.prefix(125)))
        }
        let bye = WebSocketFrame(.close, maskKey: 7, payload: ClosePayload(.normal, reason: "é bye").encode()).encode()
        // A close frame's reason is limited to 123 bytes, which is enough for 61 two-byte characters.
        let reason = String(repeating: "é", count: 70)
        let kept = [0x03, 0xF0] + Array(String(repeating: "é", count: 61).utf8)
        for action in [Fault.Frames.Action.rewrite, .close] {
            let change: (inout Fault.Frames) -> Void = { ($0.content, $0.text, $0.code) = (.close, reason, 1008) }
            #expect(try bytes(fault(action, change), bye) == kept, "\(action)")
        }
        func truncated(to count: Int64) throws -> [UInt8] {
            try bytes(fault(.truncate) { ($0.content, $0.bytes) = (.close, count) }, bye)
        }
        #expect(try truncated(to: 1) == [])
        #expect(try truncated(to: 3) == [0x03, 0xE8])
        #expect(try truncated(to: 5) == [0x03, 0xE8] + Array("é ".utf8))
    }

    @Test(
        "A close code that is forbidden in close frames is refused",
        arguments: [999, 1004, 1005, 1006, 1015, 2000, 5000]
    )
    func aCodeThatNoCloseFrameMayCarryIsRefused(code: Int64) {
        func close(_ code: Int64) -> Fault? {
            try? Fault(verb: "frames", Arguments([("action", .text("close")), ("code", .integer(code))]))
        }
        #expect(close(code) == nil)
        #expect(close(1012) != nil && close(4000) != nil)
    }

    @Test("A fragmented message is treated as one message, and control frames inside it pass")
    func fragmentsAreOneMessageAndControlFramesBetweenThemPass() throws {
        let sent = [
            text("on", fin: false), text("p", .ping), text("e", .continuation), text("two"), text("q", .ping),
        ]
        #expect(try deliver(fault(.drop) { $0.contains = "one" }, sent) == ["ping p", "text two", "ping q"])
        let twice = try deliver(fault(.duplicate) { $0.contains = "one" }, sent)
        #expect(twice == ["text... on", "ping p", "continuation e", "text one", "text two", "ping q"])
        #expect(try deliver(fault(.drop) { $0.content = .ping }, sent).count == 3)
    }

    @Test("A message that is not selected is not changed") func nothingIsChangedThatDoesNotFit() throws {
        let sent = [text("on", fin: false), text("p", .ping), text("e", .continuation), text("two")]
        #expect(try deliver(fault(.rewrite) { $0.contains = "nowhere" }, sent) == (try deliver(nil, sent)))
    }

    @Test("A held message is delivered when its fault ends") func heldMessageIsDelivered() throws {
        let seen = try deliver(fault(.reorder), [text("last")]) { $0.play(.heal(label: "f"), at: 2) }
        #expect(seen == ["text last"])
        let half = Array(text("half a frame").dropLast(3))
        var stage = Stage(seed: 1)
        _ = stage.begin(.frames(fault(.drop)), as: "f", at: 0)
        stage.connect(1)
        stage.play(.received(LinkID(.only, 1), from: .client, Array(Self.request.utf8) + half), at: 1)
        stage.play(.heal(label: "f"), at: 2)
        stage.play(.received(LinkID(.only, 1), from: .client, Array(text("half a frame").suffix(3))), at: 3)
        #expect(
            try frames(Array((stage.written[.server] ?? []).dropFirst(Self.request.utf8.count))) == [
                "text half a frame"
            ]
        )
    }

    @Test("A fault that begins inside a frame applies from the next message")
    func aFollowedConnectionCanBeHitInTheMiddleOfAFrame() throws {
        for cut in 1..<30 {
            var stage = Stage(seed: 1)
            stage.relay = Relay(seed: Seed(1), clients: [.only], followsStreams: true)
            stage.connect(1)
            let sent = text("a first message") + text("second") + text("third")
            let cut = min(cut, sent.count)
            let link = LinkID(.only, 1)
            stage.play(.received(link, from: .client, Array(Self.request.utf8) + sent[..<cut]), at: 1)
            _ = stage.begin(.frames(fault(.drop) { $0.contains = "second" }), at: 2)
            stage.play(.received(link, from: .client, Array(sent[cut...])), at: 3)
            let got = Array((stage.written[.server] ?? []).dropFirst(Self.request.utf8.count))
            let seen = try frames(got)
            let expected =
                cut > 21
                ? ["text a first message", "text second", "text third"] : ["text a first message", "text third"]
            #expect(seen == expected, "cut at \(cut)")
        }
    }

    /// A peer may declare any length in a frame header.
    @Test("A frame with an excessive length passes unchanged") func hugeLengthsPass() {
        for length: UInt64 in [UInt64(Int64.max), .max, 1 << 40, 200_000] {
            for start in [text("on", fin: false), []] {
                var stage = Stage(seed: 1)
                _ = stage.begin(.frames(fault(.drop)), as: "f", at: 0)
                stage.connect(1)
                let opcode: Opcode = start.isEmpty ? .text : .continuation
                let header = FrameHeader(opcode: opcode, maskKey: 7, length: length)
                var bytes = Array(Self.request.utf8) + start
                header.append(to: &bytes)
                bytes += [1, 2, 3]
                stage.play(.received(LinkID(.only, 1), from: .client, bytes), at: 1)
                #expect(stage.written[.server] == bytes)
            }
        }
    }

    @Test("Bytes that are not WebSocket frames pass unchanged") func bytesThatAreNoFramesPassUntouched() {
        var generator = SeededGenerator(state: 3)
        for round in 0..<200 {
            var stage = Stage(seed: 1)
            var frames = fault(.drop)
            frames.stream = .upstream
            frames.contains = "never to be found"
            _ = stage.begin(.frames(frames), as: "f", at: 0)
            stage.connect(1)
            var sent = round % 2 == 0 ? Array(Self.request.utf8) : []
            sent += (0..<Int(generator.below(400))).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            var start = 0
            while start < sent.count {
                let count = min(sent.count - start, Int(generator.below(40)) + 1)
                stage.play(.received(LinkID(.only, 1), from: .client, Array(sent[start..<(start + count)])), at: 1)
                start += count
            }
            stage.play(.heal(label: "f"), at: 2)
            #expect(stage.written[.server] ?? [] == sent, "round \(round)")
        }
    }

    /// Empty fragments of an unfinished message also count towards the reassembly buffer's limit.
    @Test("A message of many empty fragments passes unselected once it reaches the fragment limit")
    func aMessageOfEmptyPartsIsNotGatheredForEver() throws {
        let part = text("", fin: false, .continuation, mask: nil)
        let sent = text("a", fin: false, mask: nil) + Array(repeating: part, count: 70_000).flatMap { $0 }
        var stage = Stage(seed: 1)
        _ = stage.begin(.frames(fault(.drop)), as: "f", at: 0)
        stage.connect(1)
        let all = Array(Self.request.utf8) + sent
        stage.play(.received(LinkID(.only, 1), from: .client, all), at: 1)
        // Compare outside `#expect`, which would print both very long arrays on failure.
        let isWhole = stage.written[.server] == all
        #expect(isWhole)
        // The unfinished message passes unchanged. Once it has ended, the fault applies to messages again.
        let last = text("", .continuation, mask: nil)
        stage.play(.received(LinkID(.only, 1), from: .client, last + text("b", mask: nil)), at: 2)
        let isHit = stage.written[.server] == all + last
        #expect(isHit)
    }

    /// A fault that selects messages must be able to read them, so the relay disables compression by renaming the
    /// header that offers it.
    @Test(
        "A fault that selects messages hides the client's offer of extensions from the server",
        arguments: [1, 5, 1 << 20]
    )
    func extensionsAreNotAgreedOnWhereMessagesAreChosen(size: Int) {
        let asked =
            "GET /a HTTP/1.1\r\nHost: a\r\nSEC-websocket-Extensions: permessage-deflate\r\nUpgrade: websocket\r\n\r\n"
        let got =
            "GET /a HTTP/1.1\r\nHost: a\r\nSEC-websocket-Extensionx: permessage-deflate\r\nUpgrade: websocket\r\n\r\n"
        let behind = "Sec-WebSocket-Extensions: in a frame"
        for chooses in [true, false] {
            var stage = Stage(seed: 1)
            let choosing = Fault.Kind.frames(fault(.drop) { $0.stream = .downstream })
            _ = stage.begin(chooses ? choosing : .latency(.init(delay: .zero)), at: 0)
            stage.connect(1)
            let all = Array("\(asked)\(behind)".utf8)
            for start in stride(from: 0, to: all.count, by: size) {
                let piece = Array(all[start..<min(start + size, all.count)])
                stage.play(.received(LinkID(.only, 1), from: .client, piece), at: 1)
            }
            _ = stage.wait(until: 10)
            #expect(
                String(decoding: stage.written[.server] ?? [], as: UTF8.self) == "\(chooses ? got : asked)\(behind)"
            )
        }
    }

    /// Once its count is used up, a fault affects no further messages, so there is no need to report compressed ones as
    /// unreadable.
    @Test("A fault whose count is used up no longer reports compressed messages")
    func compressedAfterTheCount() {
        var packed = WebSocketFrame(.text, maskKey: nil, payload: [0xAA, 0x56, 0x4A])
        packed.header.rsv1 = true
        var stage = Stage(seed: 1)
        _ = stage.begin(.frames(fault(.drop) { $0.count = 1 }), as: "f", at: 0)
        stage.connect(1)
        stage.play(.received(LinkID(.only, 1), from: .client, Array(Self.request.utf8)), at: 1)
        let hit = stage.play(.received(LinkID(.only, 1), from: .client, text("plain")), at: 2)
        let passed = stage.play(.received(LinkID(.only, 1), from: .client, packed.encode()), at: 3)
        #expect(hit.contains { $0.contains("network.frames") })
        #expect(!passed.contains { $0.contains("network.frames.missed") }, "\(passed)")
    }

    /// A compressed message cannot be dropped or reordered, because the compression context of later messages depends
    /// on it.
    @Test("A compressed message passes unchanged and is reported once as not matched")
    func compressedMessagePasses() throws {
        var packed = WebSocketFrame(.text, maskKey: nil, payload: [0xAA, 0x56, 0x4A])
        packed.header.rsv1 = true
        for action in Fault.Frames.Action.allCases {
            var stage = Stage(seed: 1)
            _ = stage.begin(.frames(fault(action)), as: "f", at: 0)
            stage.connect(1)
            stage.play(.received(LinkID(.only, 1), from: .client, Array(Self.request.utf8)), at: 1)
            let first = stage.play(.received(LinkID(.only, 1), from: .client, packed.encode()), at: 2)
            let second = stage.play(.received(LinkID(.only, 1), from: .client, packed.encode()), at: 3)
            let isUntouched = stage.written[.server] == Array(Self.request.utf8) + packed.encode() + packed.encode()
            #expect(isUntouched, "\(action)")
            #expect(first.count { $0.contains("network.frames.missed") } == 1, "\(first)")
            #expect(second.count { $0.contains("network.frames") } == 0, "\(second)")
        }
    }
}
