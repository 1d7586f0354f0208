import ChatWire
import SquallCore
import Testing

/// Tests that no input makes the decoders trap, and that every decoded frame survives being encoded and decoded again.
@Suite struct FrameFuzzTests {
    private static let rounds = 6_000

    @Test(
        "Frames with mutated bytes never trap, and those that decode encode to the same frame",
        arguments: Spelling.allCases
    )
    func mutatedBytes(_ spelling: Spelling) {
        let wire = spelling.wire
        var generator = Seed(7).stream("bytes \(spelling.rawValue)")
        let corpus = Samples.clientFrames.map { $0.encode(wire) } + Samples.serverFrames.map { $0.encode(wire) }
        var frames = 0
        for _ in 0..<Self.rounds {
            var bytes = corpus[Int(generator.below(UInt64(corpus.count)))]
            for _ in 0...generator.below(4) { mutate(&bytes, corpus, &generator) }
            frames += survive(bytes, wire)
        }
        // Many mutations change only the contents of strings, so some frames must still decode.
        #expect(frames > Self.rounds / 50)
    }

    @Test(
        "Frames with mutated values never trap, and those that decode encode to the same frame",
        arguments: Spelling.allCases
    )
    func mutatedValues(_ spelling: Spelling) throws {
        let wire = spelling.wire
        var generator = Seed(7).stream("values \(spelling.rawValue)")
        let corpus =
            try Samples.clientFrames.map { try JSON.decode($0.encode(wire)) }
            + Samples.serverFrames.map { try JSON.decode($0.encode(wire)) }
        var frames = 0
        for _ in 0..<Self.rounds {
            var json = corpus[Int(generator.below(UInt64(corpus.count)))]
            let members = json.members ?? []
            for _ in 0...generator.below(3) {
                let name = members[Int(generator.below(UInt64(members.count)))].name
                json.set(name, to: value(&generator))
            }
            frames += survive(json.encode(), wire)
        }
        #expect(frames > Self.rounds / 50)
    }

    /// Decodes the bytes as each kind of frame and object, and returns the number of frames that decoded.
    private func survive(_ bytes: [UInt8], _ wire: WireProfile) -> Int {
        var frames = 0
        if case .frame(let frame) = ClientFrame.decode(bytes, wire) {
            frames += 1
            #expect(ClientFrame.decode(frame.encode(wire), wire) == .frame(frame))
        }
        if case .frame(let frame) = ServerFrame.decode(bytes, wire) {
            frames += 1
            #expect(ServerFrame.decode(frame.encode(wire), wire) == .frame(frame))
        }
        if let page = try? MessagePage.decode(bytes, wire) {
            #expect((try? reread(page, wire)) == page)
        }
        return frames
    }

    private func mutate(_ bytes: inout [UInt8], _ corpus: [[UInt8]], _ generator: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let index = Int(generator.below(UInt64(bytes.count)))
        switch generator.below(6) {
        case 0: bytes[index] ^= 1 << UInt8(generator.below(8))
        case 1: bytes[index] = UInt8(truncatingIfNeeded: generator.next())
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(Array("{}[]\",:0-9e.\\u".utf8)[Int(generator.below(14))], at: index)
        case 4: bytes.removeLast(bytes.count - index)
        default:
            let other = corpus[Int(generator.below(UInt64(corpus.count)))]
            let start = Int(generator.below(UInt64(other.count)))
            let end = start + Int(generator.below(UInt64(other.count - start)))
            bytes.insert(contentsOf: other[start..<end], at: index)
        }
    }

    private func value(_ generator: inout SeededGenerator) -> JSON {
        let texts = [
            "", "ping", "online", "9999-12-31T23:59:59.999Z", "0000-01-01T00:00:00+23:59", "2026-03-01T00:00:00.9999Z",
        ]
        let numbers: [Int64] = [0, 1, -1, .max, .min, 253_402_300_799_999, -62_167_219_200_000]
        return switch generator.below(6) {
        case 0: .null
        case 1: .bool(generator.below(2) == 0)
        case 2: .integer(numbers[Int(generator.below(UInt64(numbers.count)))])
        case 3: .array([value(&generator)])
        case 4: .object([JSONMember("type", value(&generator))])
        default: .string(texts[Int(generator.below(UInt64(texts.count)))])
        }
    }
}
