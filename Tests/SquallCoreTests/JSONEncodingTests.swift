import SquallCore
import Testing

@Suite struct JSONEncodingTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(
        "A JSON value is encoded as compact text",
        arguments: [
            (nil, "null"),
            (true, "true"),
            (false, "false"),
            (0, "0"),
            (-1, "-1"),
            (7, "7"),
            (10, "10"),
            (99, "99"),
            (100, "100"),
            (999_999_999_999_999_999, "999999999999999999"),
            (1_000_000_000_000_000_000, "1000000000000000000"),
            (.integer(.max), "9223372036854775807"),
            (.integer(.min), "-9223372036854775808"),
            ("", #""""#),
            ("text", #""text""#),
            ([], "[]"),
            ([:], "{}"),
            ([1, [2, []], [:]], "[1,[2,[]],{}]"),
            (["b": 1, "a": ["c": nil], "b": 2], #"{"b":1,"a":{"c":null},"b":2}"#),
        ] as [(JSON, String)]
    )
    func compact(_ value: JSON, _ expected: String) {
        #expect(text(value.encode()) == expected)
        #expect(value.description == expected)
    }

    @Test("JSON encoding escapes only characters that must be escaped")
    func escapes() {
        let expected = [
            0x08: "\\b", 0x09: "\\t", 0x0A: "\\n", 0x0C: "\\f", 0x0D: "\\r", 0x22: "\\\"", 0x5C: "\\\\",
            0x00: "\\u0000", 0x01: "\\u0001", 0x07: "\\u0007", 0x0B: "\\u000b", 0x0E: "\\u000e", 0x10: "\\u0010",
            0x1A: "\\u001a", 0x1F: "\\u001f",
        ]
        for code in 0...0x7F {
            guard let scalar = Unicode.Scalar(code) else { continue }
            let written = text(JSON.string(String(scalar)).encode())
            if let escape = expected[code] {
                #expect(written == "\"\(escape)\"")
            } else if code >= 0x20 {
                #expect(written == "\"\(scalar)\"")
            } else {
                #expect(written.utf8.count == 8)
            }
        }
        #expect(text(JSON.string("é/€😀'<\u{7F}\u{2028}").encode()) == "\"é/€😀'<\u{7F}\u{2028}\"")
        #expect(text((["a\"b\n": "c"] as JSON).encode()) == #"{"a\"b\n":"c"}"#)
    }

    @Test("Characters are escaped at every position in strings of every length")
    func places() throws {
        for length in [0, 1, 6, 7, 8, 9, 15, 16, 17, 62, 63, 64, 65, 66, 71, 72, 73, 130] {
            for place in 0...length {
                let head = String(repeating: "h", count: place)
                let tail = String(repeating: "t", count: length - place)
                #expect(text(JSON.string("\(head)\n\(tail)").encode()) == "\"\(head)\\n\(tail)\"")
                let separated = JSON.string("\(head)\u{2028}<\u{2029}\(tail)").encode(escapingHTML: true)
                #expect(text(separated) == "\"\(head)\\u2028\\u003c\\u2029\(tail)\"")
            }
        }
    }

    @Test("Texts larger than the encoding buffer are encoded correctly")
    func large() throws {
        for count in [500, 1000, 1020, 1021, 1022, 1023, 1024, 1025, 5000] {
            let plain = String(repeating: "p", count: count)
            #expect(text(JSON.string(plain).encode()) == "\"\(plain)\"")
            let controls = String(repeating: "\u{1}", count: count)
            #expect(text(JSON.string(controls).encode()) == "\"" + String(repeating: "\\u0001", count: count) + "\"")
            let digits = "1." + String(repeating: "2", count: count)
            let number = try JSON.decode(digits)
            #expect(number.description == digits)
            let numbers = JSON.array((0..<Int64(count)).map { .integer($0) })
            #expect(text(numbers.encode()) == "[" + (0..<count).map(String.init).joined(separator: ",") + "]")
        }
    }

    @Test("JSON encoding appends to existing bytes")
    func appends() {
        var bytes = Array("data: ".utf8)
        (["a": 1] as JSON).encode(into: &bytes)
        JSON.string("<").encode(into: &bytes, escapingHTML: true)
        #expect(text(bytes) == #"data: {"a":1}"\u003c""#)
    }

    @Test("HTML-safe encoding escapes characters that could end a script or a line, also in names")
    func html() throws {
        let value: JSON = ["</script>": "<!-- \u{2028} \u{2029} \u{2027} \u{202A} & > â é"]
        let expected = #"{"\u003c/script>":"\u003c!-- \u2028 \u2029 "# + "\u{2027} \u{202A} & > â é\"}"
        #expect(text(value.encode(escapingHTML: true)) == expected)
        #expect(text(value.encodePretty(escapingHTML: true)).contains(#""\u003c/script>": "\u003c!-- \u2028"#))
        #expect(try JSON.decode(value.encode(escapingHTML: true)) == value)
    }

    @Test("Pretty-printed JSON has one value per line, two spaces per level and empty brackets together")
    func pretty() {
        let value: JSON = ["name": "a", "list": [1, [], ["x": nil]], "none": [:]]
        let expected = """
            {
              "name": "a",
              "list": [
                1,
                [],
                {
                  "x": null
                }
              ],
              "none": {}
            }
            """
        #expect(text(value.encodePretty()) == expected)
        #expect(text((7 as JSON).encodePretty()) == "7")
        #expect(text(([] as JSON).encodePretty()) == "[]")
    }
}
