import SquallCore
import Testing

@Suite struct JSONRoundTripTests {
    @Test("An encoded value decodes to the same value", arguments: [1, 2, 3, 4] as [UInt64])
    func values(_ seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<400 {
            let value = random.value()
            let bytes = value.encode()
            let decoded = try JSON.decode(bytes)
            #expect(decoded == value)
            #expect(decoded.encode() == bytes)
            #expect(decoded.hashValue == value.hashValue)
            #expect(try JSON.decode(value.encodePretty()) == value)
            let html = value.encode(escapingHTML: true)
            #expect(!html.contains(UInt8(ascii: "<")))
            #expect(try JSON.decode(html) == value)
        }
    }

    @Test(
        "Mutated JSON never traps, and if it decodes, it can be encoded again",
        arguments: [11, 12, 13, 14] as [UInt64]
    )
    func mutations(_ seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        var accepted = 0
        var refused: Set<JSONError.Code> = []
        for _ in 0..<300 {
            let original = random.value().encode()
            for _ in 0..<8 {
                switch outcome(random.mutated(original)) {
                case .success(let value):
                    accepted += 1
                    #expect(try JSON.decode(value.encode(), limits: kept) == value)
                case .failure(let error): refused.insert(error.code)
                }
            }
        }
        // The mutations are useful only if they produce both valid and invalid texts.
        #expect(accepted > 100)
        let expected: Set<JSONError.Code> = [
            .unexpectedByte, .unexpectedEnd, .trailingByte, .missingDigit, .invalidUTF8, .controlCharacter,
        ]
        #expect(refused.isSuperset(of: expected))
    }

    @Test(
        "Random bytes never trap the decoder, and if they decode, the value can be encoded again",
        arguments: [21, 22] as [UInt64]
    )
    func noise(_ seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        var accepted = 0
        for _ in 0..<8000 {
            guard case .success(let value) = outcome(random.noise()) else { continue }
            accepted += 1
            #expect(try JSON.decode(value.encode(), limits: kept) == value)
        }
        #expect(accepted > 100)
    }

    private let kept = JSONLimits(duplicates: .keep)

    /// Decodes a text and, if that fails, checks that the error offset lies within the text.
    private func outcome(_ bytes: [UInt8]) -> Result<JSON, JSONError> {
        let result = Result { () throws(JSONError) in try JSON.decode(bytes, limits: kept) }
        if case .failure(let error) = result {
            #expect((0...bytes.count).contains(error.offset))
            #expect((error.code == .unexpectedEnd) == (error.offset == bytes.count))
        }
        return result
    }
}
