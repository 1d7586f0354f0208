import SquallCore
import Testing

@Suite struct JSONDigestTests {
    private func digest(_ values: JSON...) -> UInt64 {
        var hasher = FNV1a()
        for value in values { value.combine(into: &hasher) }
        return hasher.value
    }

    @Test("JSON digests differ for similar but different values")
    func nearlyEqual() throws {
        let values: [JSON] = [
            nil, true, false, 0, 1, -1, 2, "", "0", "1", "true", "null", [], [[]], [[], []], [nil], [1], ["1"], [:],
            ["a", "b"], ["ab"], ["b", "a"], ["", "ab"], ["ab", ""], ["a", "b", ""], ["a": "b"], [["a", "b"]],
            ["a": 1, "b": 2], ["b": 2, "a": 1], ["a": 2, "b": 1], ["a": 1], ["a": ["b": 2]], ["a": "1"], [["a": 1], 2],
            [["a": 1, "b": 2]], ["a": [1, 2]], ["a": [1], "b": 2],
            "\u{0}", "\u{0}\u{0}", "a", "a\u{0}", "12345678", "12345678\u{0}", "123456781", "1234567812345678",
            "é", "e\u{301}", try JSON.decode("1.0"), "1.0", try JSON.decode("1.00"), try JSON.decode("-0"),
            .integer(.max), .integer(.min), 256, 72_057_594_037_927_936,
        ]
        var seen: [UInt64: JSON] = [:]
        for value in values {
            let other = seen.updateValue(value, forKey: digest(value))
            #expect(other == nil, "\(value) and \(other.map(\.description) ?? "") share a digest")
        }
    }

    @Test("Equal JSON values have equal digests, whether built in code or decoded")
    func equal() throws {
        let value: JSON = ["text": "hello there, how are you?", "n": [1, nil, true]]
        #expect(digest(value) == digest(try JSON.decode(value.encode())))
        #expect(digest("AB") == digest(try JSON.decode(#""\u0041B""#)))
    }

    @Test("The digest of several values differs from the digest of one array with those values")
    func sequences() {
        #expect(digest("a", "b") != digest("ab"))
        #expect(digest("a", "b") != digest(["a", "b"]))
        #expect(digest([], 1) != digest([1]))
        #expect(digest(1, 2) != digest(2, 1))
    }

    @Test("Changing any single bit of a text changes the digest")
    func bits() {
        let bytes = Array("a text of some length".utf8)
        let original = digest(.string(String(decoding: bytes, as: UTF8.self)))
        var digests: Set<UInt64> = [original]
        for index in bytes.indices {
            for bit in 0..<7 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                digests.insert(digest(.string(String(decoding: changed, as: UTF8.self))))
            }
        }
        #expect(digests.count == bytes.count * 7 + 1)
    }

    @Test("The digest of a JSON value equals a recorded constant")
    func golden() throws {
        let value = try JSON.decode(#"{"a":[null,true,-1,1.5,"text, and more of it"],"b":{}}"#)
        #expect(digest(value) == 9_354_175_395_843_796_635)
    }

    @Test("The digest of consecutive texts depends on where each text ends")
    func texts() {
        var left = FNV1a()
        left.combine("ab")
        left.combine("c")
        var right = FNV1a()
        right.combine("a")
        right.combine("bc")
        #expect(left != right)
    }
}
