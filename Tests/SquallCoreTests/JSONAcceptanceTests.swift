import SquallCore
import Testing

/// Tests the decoded values of texts that RFC 8259 allows.
@Suite struct JSONAcceptanceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let value: JSON

        init(_ text: String, _ value: JSON) {
            self.text = text
            self.value = value
        }

        var testDescription: String { text.debugDescription }
    }

    static let words = [
        Case("null", nil),
        Case("true", true),
        Case("false", false),
        Case(" \t\r\n null \t\r\n ", nil),
    ]

    static let integers = [
        Case("0", 0),
        Case("1", 1),
        Case("-1", -1),
        Case("10", 10),
        Case("-10", -10),
        Case("1234567890", 1_234_567_890),
        Case("999999999999999999", 999_999_999_999_999_999),
        Case("9223372036854775807", .integer(.max)),
        Case("-9223372036854775808", .integer(.min)),
        Case("-9223372036854775807", -9_223_372_036_854_775_807),
    ]

    static let strings = [
        Case(#""""#, ""),
        Case(#""a""#, "a"),
        Case(#""1234567""#, "1234567"),
        Case(#""12345678""#, "12345678"),
        Case(#""123456789""#, "123456789"),
        Case(#""fifteen bytes..""#, "fifteen bytes.."),
        Case(#""sixteen bytes...""#, "sixteen bytes..."),
        Case("\"\u{7F}\"", "\u{7F}"),
        Case("\"é\u{80}\u{7FF}\u{800}\u{FFFF}😀\u{10FFFF}\"", "é\u{80}\u{7FF}\u{800}\u{FFFF}😀\u{10FFFF}"),
        Case("\"\u{D7FF}\u{E000}\u{FEFF}\"", "\u{D7FF}\u{E000}\u{FEFF}"),
        Case("\"plain text first, then ünïcödé\"", "plain text first, then ünïcödé"),
        Case("\"\u{2028}\u{2029}\"", "\u{2028}\u{2029}"),
        Case(#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        Case(#""/'""#, "/'"),
        Case(#""\u0041\u00e9\u00E9\u20AC""#, "Aéé€"),
        Case(#""\u0000""#, "\u{0}"),
        Case(#""\u001F\u007f""#, "\u{1F}\u{7F}"),
        Case(#""\ud83d\ude00""#, "😀"),
        Case(#""\uD800\uDC00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}"),
        Case(#""\uFFFF\uD7FF\uE000""#, "\u{FFFF}\u{D7FF}\u{E000}"),
        Case(#""before \n between \u0021 after""#, "before \n between ! after"),
        Case(#""a long run before \t and a long one after""#, "a long run before \t and a long one after"),
        Case("\"é before \\\" and é after\"", "é before \" and é after"),
        Case(#""\\u0041""#, "\\u0041"),
    ]

    static let arrays = [
        Case("[]", []),
        Case("[ \n ]", []),
        Case("[1]", [1]),
        Case("[1,2,3]", [1, 2, 3]),
        Case(" [ 1 , \"two\" ,\tnull\r\n, true , [ ] , { } ] ", [1, "two", nil, true, [], [:]]),
        Case("[[[[]],[]]]", [[[[]], []]]),
    ]

    static let objects = [
        Case("{}", [:]),
        Case("{ \n }", [:]),
        Case(#"{"a":1}"#, ["a": 1]),
        Case(#"{"b":1,"a":2}"#, ["b": 1, "a": 2]),
        Case(" { \"a\" : 1 , \"b\" : { \"c\" : [ 2 ] } } ", ["a": 1, "b": ["c": [2]]]),
        Case(#"{"":0}"#, ["": 0]),
        Case(#"{"a":1,"A":2,"a ":3}"#, ["a": 1, "A": 2, "a ": 3]),
        Case(#"{"\u0061b":1,"a":2}"#, ["ab": 1, "a": 2]),
        Case(#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}"#, ["a": ["a": ["a": 1]], "b": [["a": 1], ["a": 2]]]),
        // The two names are canonically equivalent in Unicode, but they are different names in JSON.
        Case("{\"\u{E9}\":1,\"e\u{301}\":2}", ["\u{E9}": 1, "e\u{301}": 2]),
    ]

    @Test(
        "A JSON text decodes to the expected value, which survives encoding and decoding",
        arguments: words + integers + strings + arrays + objects
    )
    func decodes(_ example: Case) throws {
        let value = try JSON.decode(example.text)
        #expect(value == example.value)
        #expect(try JSON.decode(Array(example.text.utf8)) == example.value)
        #expect(try JSON.decode(value.encode()) == example.value)
        #expect(try JSON.decode(value.encodePretty()) == example.value)
        #expect(try JSON.decode(value.encode(escapingHTML: true)) == example.value)
    }

    @Test(
        "A JSON number that does not fit an Int64 keeps its text",
        arguments: [
            "-0", "0.0", "-0.0", "1.0", "1.50", "0.1", "-12.25", "1e0", "1E0", "1e5", "1E+5", "1e-5", "-1.25e+10",
            "0e0", "0E-0", "1e400", "-1e-400", "9223372036854775808", "-9223372036854775809", "99999999999999999999",
            "123456789012345678901234567890", "0.1234567890123456789012345678901234567890", "1e00000000000000000001",
            "18446744073709551616", "92233720368547758070",
        ]
    )
    func keepsNumbers(_ text: String) throws {
        for padded in [text, " \(text) "] {
            guard case .number(let number) = try JSON.decode(padded) else {
                Issue.record("\(text) is no number")
                continue
            }
            #expect(number.text == text)
        }
        let inside = try JSON.decode("[\(text),{\"n\":\(text)}]")
        #expect(inside.description == "[\(text),{\"n\":\(text)}]")
        #expect(JSONNumber(text)?.text == text)
    }

    @Test("Error offsets in a slice count from the beginning of the slice")
    func slices() throws {
        let bytes = Array("xx[1,2]yy".utf8)
        #expect(try JSON.decode(bytes[2..<7]) == [1, 2])
        let error = #expect(throws: JSONError.self) { try JSON.decode(bytes[2...]) }
        #expect(error?.offset == 5)
    }
}
