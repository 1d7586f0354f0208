import Deflate
import TestSupport
import Testing

/// Tests messages that share one zlib stream, with Python's zlib as the reference.
@Suite struct ZlibStreamTests {
    private static let messages = [
        #"{"op":10,"d":{"heartbeat_interval":41250}}"#, "", #"{"op":0,"s":1,"d":{"text":"äöü"}}"#,
        #"{"op":0,"s":2,"d":{"text":"äöü"}}"#, String(repeating: "0123456789abcdef", count: 2000),
    ].map { Array($0.utf8) }

    private static func written(_ messages: [[UInt8]] = messages) throws -> [[UInt8]] {
        var writer = ZlibStreamWriter()
        return try messages.map { try writer.write($0) }
    }

    /// Decodes a stream that arrives in pieces of at most `size` bytes, none of which spans two messages.
    private static func read(_ stream: [[UInt8]], by size: Int) throws -> [[UInt8]] {
        var reader = ZlibStreamReader(limit: 1 << 20)
        var found: [[UInt8]] = []
        for message in stream {
            for start in stride(from: 0, to: message.count, by: size) {
                if let whole = try reader.read(Array(message[start..<min(start + size, message.count)])) {
                    found.append(whole)
                }
            }
        }
        return found
    }

    @Test("A stream that arrives in pieces has the messages that were written", arguments: [1, 2, 3, 7, .max - 1])
    func pieces(_ size: Int) throws {
        #expect(try Self.read(try Self.written(), by: min(size, 1 << 20)) == Self.messages)
    }

    @Test("Each message ends with a flush, and a repeated message refers back to the first")
    func sharedWindow() throws {
        let text = Array(#"{"op":0,"t":"MESSAGE_CREATE","d":{"content":"hello"}}"#.utf8)
        let stream = try Self.written([text, text])
        for message in stream { #expect(message.suffix(4) == [0, 0, 0xFF, 0xFF]) }
        #expect(stream[0].prefix(2) == [0x78, 0x9C])
        #expect(stream[1].count < stream[0].count / 2)
        // The second message of one connection cannot be decompressed on another.
        var other = ZlibStreamReader(limit: 1 << 20)
        #expect(throws: DeflateError.malformed) { try other.read(stream[1]) }
    }

    @Test("Python's zlib decompresses the stream, wherever it is split", arguments: [1, 5, 1000])
    func readByPython(_ size: Int) throws {
        let script = """
            import sys, zlib
            stream, buffer, size = zlib.decompressobj(), bytearray(), int(sys.argv[1])
            for word in sys.argv[2:]:
                message = bytes.fromhex(word)
                text = b"".join(stream.decompress(message[at:at + size]) for at in range(0, len(message), size))
                print(text.hex())
            """
        let stream = try Self.written().map { $0.hex }
        let ending = Tool.run(["python3", "-c", script, "\(size)"] + stream)
        #expect(ending.status == 0)
        #expect(ending.output == Self.messages.map { $0.hex + "\n" }.joined())
    }

    @Test("A stream that Python's zlib has compressed is decompressed", arguments: [1, 4, 1000])
    func writtenByPython(_ size: Int) throws {
        let script = """
            import sys, zlib
            stream = zlib.compressobj()
            for word in sys.argv[1:]:
                print((stream.compress(bytes.fromhex(word)) + stream.flush(zlib.Z_SYNC_FLUSH)).hex())
            """
        let messages = Self.messages.filter { !$0.isEmpty }
        let ending = Tool.run(["python3", "-c", script] + messages.map { $0.hex })
        let stream = ending.output.split(separator: "\n").map { [UInt8](hex: $0) }
        #expect(try Self.read(stream, by: size) == messages)
    }

    @Test(
        "Bytes that are not a zlib stream are an error",
        arguments: [[0x78, 0x9D], [0x79, 0x9C], [0x78, 0xBB], [0x78, 0x9C, 0xFF]]
    )
    func malformed(_ bytes: [UInt8]) {
        var reader = ZlibStreamReader(limit: 1 << 20)
        #expect(throws: DeflateError.malformed) { try reader.read(bytes) }
    }

    @Test("A message that is longer than the limit is an error")
    func tooLong() throws {
        let stream = try Self.written([[UInt8](repeating: 0, count: 101)])
        var reader = ZlibStreamReader(limit: 100)
        #expect(throws: DeflateError.tooLong(limit: 100)) { try reader.read(stream[0]) }
    }
}

extension [UInt8] {
    fileprivate var hex: String {
        map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    fileprivate init(hex: some StringProtocol) {
        let digits = hex.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
