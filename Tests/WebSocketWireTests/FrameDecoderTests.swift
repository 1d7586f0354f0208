import SquallCore
import Testing
import WebSocketWire

@Suite struct FrameDecoderTests {
    private static func decode(
        _ pieces: [[UInt8]],
        _ role: WebSocketRole,
        maxPayload: Int = 70_000
    ) -> ([WebSocketFrame], ProtocolViolation?) {
        var decoder = FrameDecoder(role: role, maxPayload: maxPayload)
        var frames: [WebSocketFrame] = []
        for piece in pieces {
            decoder.append(piece)
            do throws(ProtocolViolation) {
                while let frame = try decoder.next() { frames.append(frame) }
            } catch {
                return (frames, error)
            }
        }
        return (frames, nil)
    }

    @Test("The same frames are decoded for every split of their bytes", arguments: WebSocketRole.allCases)
    func everyCutIsTheSame(role: WebSocketRole) {
        var generator = Seed(1).stream("keys")
        let shapes: [(Opcode, Bool, Int)] = [
            (.text, false, 3), (.ping, true, 0), (.continuation, false, 0), (.continuation, true, 130),
            (.binary, true, 1),
            (.close, true, 2),
        ]
        let frames = shapes.map { opcode, fin, length in
            WebSocketFrame(
                fin: fin,
                opcode,
                maskKey: role == .server ? UInt32(truncatingIfNeeded: generator.next()) : nil,
                payload: (0..<length).map { UInt8(truncatingIfNeeded: $0) }
            )
        }
        let bytes = Array(frames.map { $0.encode() }.joined())
        for pieces in everyCut(of: bytes) {
            let (decoded, violation) = Self.decode(pieces, role)
            #expect(decoded == frames)
            #expect(violation == nil)
        }
    }

    @Test("A large frame is decoded from several pieces")
    func largeFrameInPieces() {
        let frame = WebSocketFrame(
            .binary,
            maskKey: 0x1234_5678,
            payload: (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        )
        var generator = Seed(2).stream("pieces")
        #expect(Self.decode(randomCut(of: frame.encode(), using: &generator), .server).0 == [frame])
    }

    private static func header(
        _ opcode: Opcode,
        fin: Bool = true,
        length: UInt64 = 0,
        form: FrameHeader.LengthForm? = nil
    ) -> FrameHeader {
        FrameHeader(fin: fin, opcode: opcode, length: length, lengthForm: form)
    }

    @Test(
        "Each violation of a frame header rule is reported",
        arguments: [
            (FrameHeader(rsv1: true, opcode: .text, length: 0), ProtocolViolation.reservedBits),
            (FrameHeader(rsv2: true, opcode: .close, length: 0), .reservedBits),
            (FrameHeader(rsv3: true, opcode: .continuation, length: 0), .reservedBits),
            (header(.ping, fin: false), .fragmentedControl(.ping)),
            (header(.pong, fin: false), .fragmentedControl(.pong)),
            (header(.close, fin: false), .fragmentedControl(.close)),
            (header(.ping, length: 126), .oversizedControl(.ping)),
            (header(.close, length: 65_536), .oversizedControl(.close)),
            (header(.ping, length: 5, form: .bits16), .nonMinimalLength),
            (header(.text, length: 125, form: .bits16), .nonMinimalLength),
            (header(.text, length: 0, form: .bits64), .nonMinimalLength),
            (header(.text, length: 65_535, form: .bits64), .nonMinimalLength),
            (header(.text, length: 1 << 63), .lengthTopBit),
            (header(.text, length: .max), .lengthTopBit),
            (header(.text, length: 70_001), .messageTooBig(limit: 70_000)),
            (header(.binary, length: UInt64(Int64.max)), .messageTooBig(limit: 70_000)),
        ]
    )
    func violations(header: FrameHeader, violation: ProtocolViolation) {
        for role in WebSocketRole.allCases {
            var header = header
            header.maskKey = role == .server ? 7 : nil
            let bytes =
                WebSocketFrame(.ping, maskKey: header.maskKey).encode()
                + WebSocketFrame(header: header, payload: []).encode()
            for pieces in everyCut(of: bytes) {
                let (frames, found) = Self.decode(pieces, role)
                #expect(frames.count == 1)
                #expect(found == violation)
            }
        }
    }

    @Test("A frame with a reserved opcode is a violation", arguments: Array(3...7) + Array(11...15))
    func reservedOpcodes(raw: UInt8) {
        let opcode = Opcode(rawValue: raw)
        #expect(Self.decode([WebSocketFrame(opcode).encode()], .client).1 == .reservedOpcode(opcode))
    }

    @Test("Frames from the client must be masked, and frames from the server must not be")
    func maskIsTheClients() {
        #expect(Self.decode([WebSocketFrame(.text).encode()], .server).1 == .unmasked)
        #expect(Self.decode([WebSocketFrame(.text, maskKey: 0).encode()], .client).1 == .masked)
    }

    @Test("A protocol violation is thrown again by every later call")
    func violationIsThrownAgain() {
        var decoder = FrameDecoder(role: .server, maxPayload: 10)
        for _ in 0..<2 {
            decoder.append(WebSocketFrame(.text).encode())
            #expect(throws: ProtocolViolation.unmasked) { try decoder.next() }
            decoder.append(WebSocketFrame(.text, maskKey: 1).encode())
        }
    }

    @Test("A payload of exactly the size limit is accepted")
    func largestPayloadIsTaken() {
        let frame = WebSocketFrame(.binary, payload: [1, 2, 3])
        #expect(Self.decode([frame.encode()], .client, maxPayload: 3).0 == [frame])
        #expect(Self.decode([frame.encode()], .client, maxPayload: 2).1 == .messageTooBig(limit: 2))
    }

    @Test("The received part of an incomplete frame is unmasked")
    func arrivingFrameIsUnmaskedAsFarAsItIsThere() throws {
        let frame = WebSocketFrame(.text, maskKey: 0x0F1E_2D3C, payload: Array("abcdef".utf8))
        var decoder = FrameDecoder(role: .server, maxPayload: 10)
        var seen: [String] = []
        for byte in frame.encode() {
            decoder.append([byte])
            _ = try decoder.next()
            if let arriving = decoder.arriving {
                #expect(arriving.header == frame.header)
                seen.append(String(decoding: arriving.payload, as: UTF8.self))
            }
        }
        #expect(seen == ["", "a", "ab", "abc", "abcd", "abcde"])
    }

    @Test(
        "Each protocol violation has its close code",
        arguments: [
            (ProtocolViolation.messageTooBig(limit: 1), CloseCode.messageTooBig), (.invalidUTF8, .invalidPayload),
            (.reservedBits, .protocolError), (.unmasked, .protocolError),
            (.invalidCloseCode(.noStatus), .protocolError),
        ]
    )
    func closeCodes(violation: ProtocolViolation, code: CloseCode) {
        #expect(violation.closeCode == code)
    }
}
