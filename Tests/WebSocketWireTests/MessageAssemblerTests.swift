import Testing
import WebSocketWire

@Suite struct MessageAssemblerTests {
    private func assemble(
        _ frames: [WebSocketFrame],
        maxSize: Int = 1000
    ) -> ([WebSocketMessage], ProtocolViolation?) {
        var assembler = MessageAssembler(maxSize: maxSize)
        var messages: [WebSocketMessage] = []
        for frame in frames {
            do throws(ProtocolViolation) {
                if let message = try assembler.receive(frame) { messages.append(message) }
            } catch {
                return (messages, error)
            }
        }
        return (messages, nil)
    }

    @Test("Every type of unfragmented message is assembled")
    func wholeMessages() {
        let (messages, violation) = assemble([
            WebSocketFrame(.text, payload: Array("héllo".utf8)),
            WebSocketFrame(.binary, payload: [0xFF]),
            WebSocketFrame(.text),
            WebSocketFrame(.ping, payload: [0xFF, 1]),
            WebSocketFrame(.pong),
            WebSocketFrame(.close),
        ])
        #expect(violation == nil)
        #expect(
            messages == [
                .text("héllo"), .binary([0xFF]), .text(""), .ping([0xFF, 1]), .pong([]), .close(ClosePayload()),
            ]
        )
    }

    @Test("A message is assembled from fragments with control frames between them")
    func fragmentsWithControlFramesBetween() {
        let bytes = Array("🏴‍☠️é".utf8)
        var frames: [WebSocketFrame] = []
        for (index, byte) in bytes.enumerated() {
            frames.append(WebSocketFrame(fin: false, index == 0 ? .text : .continuation, payload: [byte]))
            frames.append(WebSocketFrame(.ping, payload: [byte]))
        }
        frames.append(WebSocketFrame(.continuation))
        frames.append(WebSocketFrame(.text, payload: [0x61]))
        let (messages, violation) = assemble(frames)
        #expect(violation == nil)
        #expect(messages == bytes.map { .ping([$0]) } + [.text("🏴‍☠️é"), .text("a")])
    }

    @Test("A fragmented binary message is not validated as UTF-8")
    func fragmentedBinaryIsNotCheckedAsText() {
        let (messages, violation) = assemble([
            WebSocketFrame(fin: false, .binary, payload: [0xFF]),
            WebSocketFrame(fin: false, .continuation),
            WebSocketFrame(.continuation, payload: [0xC0]),
        ])
        #expect(violation == nil)
        #expect(messages == [.binary([0xFF, 0xC0])])
    }

    @Test(
        "Each violation of a fragmentation rule is reported",
        arguments: [
            ([WebSocketFrame(.continuation)], ProtocolViolation.unexpectedContinuation),
            ([WebSocketFrame(fin: false, .continuation)], .unexpectedContinuation),
            ([WebSocketFrame(.text), WebSocketFrame(.continuation)], .unexpectedContinuation),
            ([WebSocketFrame(fin: false, .text), WebSocketFrame(.text)], .interruptedMessage),
            ([WebSocketFrame(fin: false, .binary), WebSocketFrame(fin: false, .text)], .interruptedMessage),
            ([WebSocketFrame(Opcode(rawValue: 3))], .reservedOpcode(Opcode(rawValue: 3))),
        ]
    )
    func brokenFragments(frames: [WebSocketFrame], violation: ProtocolViolation) {
        #expect(assemble(frames).1 == violation)
    }

    @Test(
        "A text message that is not UTF-8 is refused at the frame with the invalid byte",
        arguments: [
            [WebSocketFrame(.text, payload: [0x61, 0xC3])],
            [WebSocketFrame(fin: false, .text, payload: [0xED, 0xA0])],
            [
                WebSocketFrame(fin: false, .text, payload: [0xC3]),
                WebSocketFrame(fin: false, .continuation, payload: [0x28]),
            ],
            [WebSocketFrame(fin: false, .text, payload: [0xC3]), WebSocketFrame(.continuation)],
        ]
    )
    func invalidText(frames: [WebSocketFrame]) {
        #expect(assemble(frames.dropLast()).1 == nil)
        #expect(assemble(frames).1 == .invalidUTF8)
    }

    @Test("An invalid byte in a text message is reported before the frame is complete")
    func textFailsAtItsFirstWrongByte() throws {
        let header = FrameHeader(opcode: .text, length: 100)
        var assembler = MessageAssembler(maxSize: 1000)
        try assembler.inspect(WebSocketFrame(header: header, payload: []))
        try assembler.inspect(WebSocketFrame(header: header, payload: [0x61, 0xF4]))
        #expect(throws: ProtocolViolation.invalidUTF8) {
            try assembler.inspect(WebSocketFrame(header: header, payload: [0x61, 0xF4, 0x90]))
        }
    }

    @Test("A frame validated while it arrived is not validated again when it is complete")
    func inspectedFrameIsNotReadTwice() throws {
        let frame = WebSocketFrame(.text, payload: Array("é!".utf8))
        var assembler = MessageAssembler(maxSize: 1000)
        for count in 0..<3 {
            try assembler.inspect(WebSocketFrame(header: frame.header, payload: Array(frame.payload.prefix(count))))
        }
        #expect(try assembler.receive(frame) == .text("é!"))
        #expect(try assembler.receive(frame) == .text("é!"))
    }

    @Test("The size limit of a message applies to all of its fragments together")
    func sizeIsOverAllFragments() {
        let frames = [
            WebSocketFrame(fin: false, .text, payload: [0x61, 0x61]),
            WebSocketFrame(fin: false, .continuation, payload: [0x61]),
            WebSocketFrame(.continuation, payload: [0x61]),
        ]
        #expect(assemble(frames, maxSize: 4).0 == [.text("aaaa")])
        #expect(assemble(frames, maxSize: 3).1 == .messageTooBig(limit: 3))
        #expect(assemble(frames.dropLast(), maxSize: 3).1 == nil)
    }

    @Test("A message above the size limit is refused at the frame header")
    func messageTooBigIsKnownByTheHeader() {
        var assembler = MessageAssembler(maxSize: 10)
        let header = FrameHeader(opcode: .binary, length: 11)
        #expect(throws: ProtocolViolation.messageTooBig(limit: 10)) {
            try assembler.inspect(WebSocketFrame(header: header, payload: []))
        }
    }

    @Test(
        "A close frame may carry every code that RFC 6455 allows on the wire",
        arguments: [1000...1003, 1007...1014, 3000...4999] as [ClosedRange<UInt16>]
    )
    func allowedCodes(codes: ClosedRange<UInt16>) {
        for code in codes {
            let frame = WebSocketFrame(.close, payload: ClosePayload(CloseCode(code), reason: "é").encode())
            #expect(assemble([frame]).0 == [.close(ClosePayload(CloseCode(code), reason: "é"))])
        }
    }

    @Test(
        "A close frame with a forbidden code is a violation",
        arguments: [
            0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535,
        ] as [UInt16]
    )
    func forbiddenCodes(code: UInt16) {
        let frame = WebSocketFrame(.close, payload: ClosePayload(CloseCode(code)).encode())
        #expect(frame.payload == [UInt8(code >> 8), UInt8(code & 0xFF)])
        #expect(assemble([frame]).1 == .invalidCloseCode(CloseCode(code)))
    }

    @Test("A close frame with half a code or with a reason that is not UTF-8 is a violation")
    func brokenClosePayloads() {
        #expect(assemble([WebSocketFrame(.close, payload: [3])]).1 == .truncatedCloseCode)
        #expect(assemble([WebSocketFrame(.close, payload: [3, 0xE8, 0xFF])]).1 == .invalidUTF8)
        #expect(assemble([WebSocketFrame(.close, payload: [3, 0xE8, 0xC3])]).1 == .invalidUTF8)
    }

    @Test("A close reason that is too long is truncated at a character boundary")
    func longReasonIsCutBetweenScalars() {
        #expect(ClosePayload(.normal, reason: String(repeating: "a", count: 200)).encode().count == 125)
        let cut = ClosePayload(.normal, reason: String(repeating: "é", count: 200)).encode()
        #expect(cut.count == 124)
        #expect(assemble([WebSocketFrame(.close, payload: cut)]).1 == nil)
        #expect(ClosePayload(nil, reason: "no code, no reason").encode() == [])
    }
}
