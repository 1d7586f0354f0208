import Testing
import WebSocketWire

@Suite struct WebSocketFrameTests {
    private static let hello = Array("Hello".utf8)
    private static let key: UInt32 = 0x37FA_213D

    @Test(
        "The examples of RFC 6455 section 5.7 are encoded and decoded",
        arguments: [
            (WebSocketFrame(.text, payload: hello), [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]),
            (
                WebSocketFrame(.text, maskKey: key, payload: hello),
                [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
            ),
            (WebSocketFrame(fin: false, .text, payload: Array("Hel".utf8)), [0x01, 0x03, 0x48, 0x65, 0x6C]),
            (WebSocketFrame(.continuation, payload: Array("lo".utf8)), [0x80, 0x02, 0x6C, 0x6F]),
            (WebSocketFrame(.ping, payload: hello), [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]),
            (
                WebSocketFrame(.pong, maskKey: key, payload: hello),
                [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
            ),
        ]
    )
    func examples(frame: WebSocketFrame, bytes: [UInt8]) throws {
        #expect(frame.encode() == bytes)
        var decoder = FrameDecoder(role: frame.header.maskKey == nil ? .client : .server, maxPayload: 5)
        decoder.append(bytes)
        #expect(try decoder.next() == frame)
        #expect(try decoder.next() == nil)
    }

    @Test("The examples of RFC 6455 with long payloads are encoded")
    func examplesOfLongPayloads() {
        let short = [UInt8](repeating: 7, count: 256)
        #expect(WebSocketFrame(.binary, payload: short).encode() == [0x82, 0x7E, 0x01, 0x00] + short)
        let long = [UInt8](repeating: 7, count: 65536)
        #expect(WebSocketFrame(.binary, payload: long).encode() == [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + long)
    }

    @Test(
        "A frame uses the shortest length form at each boundary",
        arguments: [
            (0, FrameHeader.LengthForm.bits7, 2), (1, .bits7, 2), (125, .bits7, 2), (126, .bits16, 4),
            (127, .bits16, 4),
            (65535, .bits16, 4), (65536, .bits64, 10),
        ]
    )
    func lengthBoundaries(length: Int, form: FrameHeader.LengthForm, size: Int) throws {
        let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for role in WebSocketRole.allCases {
            let key: UInt32? = role == .server ? 0x0102_03FF : nil
            let frame = WebSocketFrame(.binary, maskKey: key, payload: payload)
            let bytes = frame.encode()
            #expect(frame.header.lengthForm == form)
            #expect(frame.header.size == size + (key == nil ? 0 : 4))
            #expect(bytes.count == frame.header.size + length)
            var decoder = FrameDecoder(role: role, maxPayload: length)
            decoder.append(bytes)
            #expect(try decoder.next() == frame)
        }
    }

    @Test(
        "Every first byte, masking key and length form of a header survives encoding and decoding",
        arguments: FrameHeader.LengthForm.allCases
    )
    func headersComeBack(form: FrameHeader.LengthForm) {
        for first in UInt8.min...UInt8.max {
            for key in [nil, 0, 0x0102_0304, UInt32.max] {
                let header = FrameHeader(
                    fin: first & 0x80 != 0,
                    rsv1: first & 0x40 != 0,
                    rsv2: first & 0x20 != 0,
                    rsv3: first & 0x10 != 0,
                    opcode: Opcode(rawValue: first),
                    maskKey: key,
                    length: 99,
                    lengthForm: form
                )
                var bytes: [UInt8] = [0xEE]
                header.append(to: &bytes)
                #expect(bytes.count == 1 + header.size)
                #expect(bytes[1] == first)
                #expect(FrameHeader.parse(bytes, at: 1) == header)
                #expect(FrameHeader.parse(bytes.dropLast(), at: 1) == nil)
            }
        }
    }

    @Test("Parsing a header at or beyond the end of the bytes returns nil")
    func headerBehindTheEndIsNone() {
        #expect(FrameHeader.parse([], at: 0) == nil)
        #expect(FrameHeader.parse([0x81, 0x00], at: 2) == nil)
        #expect(FrameHeader.parse([0x81, 0x00], at: 3) == nil)
    }

    @Test("Frames that violate RFC 6455 can be encoded for tests")
    func illegalFramesCanBeWritten() {
        let header = FrameHeader(rsv2: true, opcode: Opcode(rawValue: 0xB), length: 3, lengthForm: .bits16)
        #expect(WebSocketFrame(header: header, payload: [1]).encode() == [0xAB, 126, 0, 3, 1])
        let top = FrameHeader(fin: false, opcode: .ping, maskKey: 0, length: .max)
        let ones = [UInt8](repeating: 0xFF, count: 8)
        #expect(WebSocketFrame(header: top, payload: []).encode() == [0x09, 0xFF] + ones + [0, 0, 0, 0])
        let cut = FrameHeader(opcode: .text, length: 0x1_0203, lengthForm: .bits16)
        #expect(WebSocketFrame(header: cut, payload: []).encode() == [0x81, 126, 2, 3])
    }

    @Test("The mask applies the four bytes of the key in rotation")
    func maskIsAppliedByteByByteOfTheKey() {
        for length in 0..<40 {
            let payload = (0..<length).map { UInt8($0) }
            let bytes = WebSocketFrame(.binary, maskKey: 0xA1B2_C3D4, payload: payload).encode()
            let key: [UInt8] = [0xA1, 0xB2, 0xC3, 0xD4]
            #expect(Array(bytes.dropFirst(6)) == payload.enumerated().map { $1 ^ key[$0 % 4] })
        }
    }

    @Test("Appending a frame to a buffer masks only the payload of that frame")
    func appendingMasksOnlyItsOwn() {
        var bytes: [UInt8] = [1, 2, 3]
        WebSocketFrame(.text, maskKey: 0xFFFF_FFFF, payload: [0x0F]).append(to: &bytes)
        #expect(bytes == [1, 2, 3, 0x81, 0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xF0])
    }

    @Test("Appending many frames reallocates the buffer only a few times")
    func appendingGrows() {
        let frame = WebSocketFrame(.binary, maskKey: 1, payload: [UInt8](repeating: 7, count: 64))
        var bytes: [UInt8] = []
        var moves = 0
        for _ in 0..<10_000 {
            let before = bytes.capacity
            frame.append(to: &bytes)
            if bytes.capacity != before { moves += 1 }
        }
        #expect(bytes.count == 10_000 * frame.encode().count)
        #expect(moves < 50, "room was made \(moves) times")
    }
}
