import Deflate
import Testing

/// Tests message compression and decompression, including the byte sequences given in RFC 7692 section 7.2.3.
@Suite struct DeflateTests {
    private let hello = Array("Hello".utf8)

    private func decompress(
        _ messages: [[UInt8]],
        by inflater: Inflater = Inflater(windowBits: 15),
        limit: Int = 1000
    ) throws -> [[UInt8]] {
        var inflater = inflater
        return try messages.map { message in
            var output: [UInt8] = []
            try inflater.decompress(message, into: &output, limit: limit)
            try inflater.finish(into: &output, limit: limit)
            return output
        }
    }

    @Test("The compressed bytes match RFC 7692 section 7.2.3.2, with a back-reference to the first message")
    func sharedWindow() throws {
        var deflater = Deflater(windowBits: 15)
        let first = try deflater.compress(hello)
        let second = try deflater.compress(hello)
        #expect(first == [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
        #expect(second == [0xF2, 0x00, 0x11, 0x00, 0x00])
        #expect(try decompress([first, second]) == [hello, hello])
    }

    @Test("Without context takeover each message is decompressed independently")
    func emptyWindow() throws {
        var deflater = Deflater(windowBits: 15, resetsContext: true)
        let messages = [try deflater.compress(hello), try deflater.compress(hello)]
        #expect(messages[0] == messages[1])
        #expect(try decompress(messages, by: Inflater(windowBits: 15, resetsContext: true)) == [hello, hello])
        // Without context takeover, an endpoint cannot decompress a message that refers back to an earlier one.
        #expect(throws: DeflateError.malformed) {
            try decompress(
                [messages[0], [0xF2, 0x00, 0x11, 0x00, 0x00]],
                by: Inflater(windowBits: 15, resetsContext: true)
            )
        }
    }

    @Test("Stored, final, multiple and empty blocks are decompressed (RFC 7692 sections 7.2.3.3 to 7.2.3.6)")
    func blocks() throws {
        let stored: [UInt8] = [0x00, 0x05, 0x00, 0xFA, 0xFF] + hello + [0x00]
        let last: [UInt8] = [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]
        let two: [UInt8] = [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]
        #expect(try decompress([stored, last, two, [0x00]]) == [hello, hello, hello, []])
        var deflater = Deflater(windowBits: 15)
        let empty = [try deflater.compress([]), try deflater.compress([]), try deflater.compress(hello)]
        #expect(try decompress(empty) == [[], [], hello])
    }

    @Test("The sliding window is kept after a final block")
    func windowBehindLastBlock() throws {
        let last: [UInt8] = [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]
        #expect(try decompress([last, [0xF2, 0x00, 0x11, 0x00, 0x00]]) == [hello, hello])
    }

    @Test(
        "A message that ends inside a block or without its final empty block is refused",
        arguments: [
            [0xF2, 0x48, 0xCD, 0xC9], [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], [], [0x00, 0x05, 0x00, 0xFA, 0xFF],
        ] as [[UInt8]],
        [false, true]
    )
    func cutOff(message: [UInt8], resetsContext: Bool) throws {
        #expect(throws: DeflateError.malformed) {
            try decompress([message], by: Inflater(windowBits: 15, resetsContext: resetsContext))
        }
    }

    @Test("The final block may be the empty block that the sender removes")
    func lastEmptyBlock() throws {
        let last: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x04]
        #expect(try decompress([last, last]) == [hello, hello])
    }

    @Test("A back-reference beyond the window is refused", arguments: 9...14)
    func windows(bits: Int) throws {
        // The same 100 bytes occur twice, too far apart for a window of `bits` bits.
        let word = (0..<100).map { UInt8($0) }
        let filler = (0..<(1 << bits)).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) | 0x80 }
        let message = word + filler + word
        var (wide, narrow) = (Deflater(windowBits: 15), Deflater(windowBits: bits))
        let limit = message.count
        let exact = Inflater(windowBits: bits, enforcesWindow: true)
        let (near, far) = (try narrow.compress(message), try wide.compress(message))
        #expect(try decompress([near], by: exact, limit: limit) == [message])
        #expect(try decompress([far], by: Inflater(windowBits: bits), limit: limit) == [message])
        let failure = #expect(throws: DeflateError.self) { _ = try decompress([far], by: exact, limit: limit) }
        #expect(failure == .malformed)
    }

    @Test("Decompression stops at the size limit, however the input is split")
    func bombs() throws {
        var deflater = Deflater(windowBits: 15)
        let bomb = try deflater.compress([UInt8](repeating: 0, count: 10_000_000))
        #expect(bomb.count < 10_000)
        for size in [1, 7, bomb.count] {
            var (inflater, output) = (Inflater(windowBits: 15), [UInt8]())
            #expect(throws: DeflateError.tooLong(limit: 5000)) {
                for start in stride(from: 0, to: bomb.count, by: size) {
                    let piece = bomb[start..<min(start + size, bomb.count)]
                    try inflater.decompress(piece, into: &output, limit: 5000)
                }
            }
            #expect(output.count == 5001)
        }
    }

    @Test("A message of exactly the size limit is decompressed")
    func exactLimit() throws {
        var deflater = Deflater(windowBits: 15)
        let message = [UInt8](repeating: 7, count: 5000)
        #expect(try decompress([deflater.compress(message)], limit: 5000) == [message])
    }

    @Test("A copy of a deflater or inflater is independent of the original")
    func copies() throws {
        var one = Deflater(windowBits: 15)
        _ = try one.compress(hello)
        var other = one
        #expect(try one.compress(hello) == other.compress(hello))
        _ = try one.compress(Array("something else".utf8))
        var (fresh, output) = (Inflater(windowBits: 15), [UInt8]())
        try fresh.decompress([0xF2, 0x48, 0xCD], into: &output, limit: 100)
        var branch = fresh
        try fresh.decompress([0xC9, 0xC9, 0x07, 0x00], into: &output, limit: 100)
        try fresh.finish(into: &output, limit: 100)
        #expect(output == hello)
        var again: [UInt8] = Array("He".utf8)
        try branch.decompress([0xC9, 0xC9, 0x07, 0x00], into: &again, limit: 100)
        try branch.finish(into: &again, limit: 100)
        #expect(again.suffix(3) == Array("llo".utf8)[...])
    }

    @Test("A window size that zlib does not support throws DeflateError.unavailable")
    func noSuchWindow() {
        var (deflater, inflater, output) = (Deflater(windowBits: 8), Inflater(windowBits: 16), [UInt8]())
        #expect(throws: DeflateError.unavailable) { try deflater.compress([1]) }
        #expect(throws: DeflateError.unavailable) { try inflater.decompress([1], into: &output, limit: 1) }
    }
}
