import SquallCore
import Testing

/// Tests the error codes and offsets for texts that RFC 8259 does not allow.
@Suite struct JSONRefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        let code: JSONError.Code
        let offset: Int

        init(_ text: String, _ code: JSONError.Code, at offset: Int) {
            self.init(Array(text.utf8), code, at: offset)
        }

        init(_ bytes: [UInt8], _ code: JSONError.Code, at offset: Int) {
            self.bytes = bytes
            self.code = code
            self.offset = offset
        }

        /// Returns a string with these bytes, padded with enough text for the decoder to examine eight bytes at a time.
        static func string(_ bytes: UInt8..., at offset: Int = 0) -> Case {
            Case(Array("\"some text ".utf8) + bytes + Array(" more text\"".utf8), .invalidUTF8, at: 11 + offset)
        }

        var testDescription: String { "\(String(decoding: bytes, as: UTF8.self).debugDescription): \(code)" }
    }

    static let structure = [
        Case("", .unexpectedEnd, at: 0),
        Case(" \n", .unexpectedEnd, at: 2),
        Case("[", .unexpectedEnd, at: 1),
        Case("[1", .unexpectedEnd, at: 2),
        Case("[1,", .unexpectedEnd, at: 3),
        Case("{", .unexpectedEnd, at: 1),
        Case(#"{"a""#, .unexpectedEnd, at: 4),
        Case(#"{"a":"#, .unexpectedEnd, at: 5),
        Case(#"{"a":1"#, .unexpectedEnd, at: 6),
        Case(#"{"a":1,"#, .unexpectedEnd, at: 7),
        Case("]", .unexpectedByte, at: 0),
        Case("}", .unexpectedByte, at: 0),
        Case(",", .unexpectedByte, at: 0),
        Case(":", .unexpectedByte, at: 0),
        Case("[1,]", .unexpectedByte, at: 3),
        Case("[,1]", .unexpectedByte, at: 1),
        Case("[1,,2]", .unexpectedByte, at: 3),
        Case("[1 2]", .unexpectedByte, at: 3),
        Case("[1:2]", .unexpectedByte, at: 2),
        Case("[1}", .unexpectedByte, at: 2),
        Case(#"{"a":1]"#, .unexpectedByte, at: 6),
        Case(#"{"a":1,}"#, .unexpectedByte, at: 7),
        Case(#"{,"a":1}"#, .unexpectedByte, at: 1),
        Case(#"{"a" 1}"#, .unexpectedByte, at: 5),
        Case(#"{"a":}"#, .unexpectedByte, at: 5),
        Case(#"{"a"}"#, .unexpectedByte, at: 4),
        Case("{a:1}", .unexpectedByte, at: 1),
        Case("{'a':1}", .unexpectedByte, at: 1),
        Case("{1:1}", .unexpectedByte, at: 1),
        Case("{null:1}", .unexpectedByte, at: 1),
        Case("[] []", .trailingByte, at: 3),
        Case("1 2", .trailingByte, at: 2),
        Case("nullnull", .trailingByte, at: 4),
        Case("{}}", .trailingByte, at: 2),
        Case("\"a\"\u{0}", .trailingByte, at: 3),
        Case("1\u{A0}", .trailingByte, at: 1),
        Case("/* */1", .unexpectedByte, at: 0),
        Case("1 // one", .trailingByte, at: 2),
        Case("[1,#\n2]", .unexpectedByte, at: 3),
        Case("\u{B}1", .unexpectedByte, at: 0),
        Case("\u{C}1", .unexpectedByte, at: 0),
        Case("\u{0}", .unexpectedByte, at: 0),
        Case("\u{FEFF}{}", .byteOrderMark, at: 0),
        Case("\u{FEFF}", .byteOrderMark, at: 0),
        Case(" \u{FEFF}{}", .unexpectedByte, at: 1),
        Case([0xFF, 0xFE, 0x31, 0x00], .unexpectedByte, at: 0),
        Case([0x31, 0x00], .trailingByte, at: 1),
    ]

    static let words = [
        Case("nul", .unexpectedEnd, at: 3),
        Case("nulx", .unexpectedByte, at: 3),
        Case("Null", .unexpectedByte, at: 0),
        Case("TRUE", .unexpectedByte, at: 0),
        Case("tru e", .unexpectedByte, at: 3),
        Case("truee", .trailingByte, at: 4),
        Case("fals", .unexpectedEnd, at: 4),
        Case("[falze]", .unexpectedByte, at: 4),
        Case("NaN", .unexpectedByte, at: 0),
        Case("nan", .unexpectedByte, at: 1),
        Case("Infinity", .unexpectedByte, at: 0),
        Case("undefined", .unexpectedByte, at: 0),
    ]

    static let numbers = [
        Case("-", .unexpectedEnd, at: 1),
        Case("-a", .missingDigit, at: 1),
        Case("--1", .missingDigit, at: 1),
        Case("-Infinity", .missingDigit, at: 1),
        Case("- 1", .missingDigit, at: 1),
        Case("+1", .unexpectedByte, at: 0),
        Case(".5", .unexpectedByte, at: 0),
        Case("-.5", .missingDigit, at: 1),
        Case("1.", .unexpectedEnd, at: 2),
        Case("[1.]", .missingDigit, at: 3),
        Case("1.e5", .missingDigit, at: 2),
        Case("1.2.3", .trailingByte, at: 3),
        Case("1e", .unexpectedEnd, at: 2),
        Case("1e+", .unexpectedEnd, at: 3),
        Case("1e+-1", .missingDigit, at: 3),
        Case("[1e]", .missingDigit, at: 3),
        Case("1e1.5", .trailingByte, at: 3),
        Case("01", .leadingZero, at: 0),
        Case("00", .leadingZero, at: 0),
        Case("-01", .leadingZero, at: 1),
        Case("[01.5]", .leadingZero, at: 1),
        Case("0x10", .trailingByte, at: 1),
        Case("1_000", .trailingByte, at: 1),
        Case("1,000", .trailingByte, at: 1),
        Case("\u{FF11}", .unexpectedByte, at: 0),
    ]

    static let strings = [
        Case("\"", .unexpectedEnd, at: 1),
        Case("\"abc", .unexpectedEnd, at: 4),
        Case("\"abcdefghijkl", .unexpectedEnd, at: 13),
        Case("'a'", .unexpectedByte, at: 0),
        Case("\"a\u{0}b\"", .controlCharacter, at: 2),
        Case("\"a\tb\"", .controlCharacter, at: 2),
        Case("\"a\nb\"", .controlCharacter, at: 2),
        Case("\"a\u{1F}b\"", .controlCharacter, at: 2),
        Case("\"a long text with a break\nin it\"", .controlCharacter, at: 25),
        Case("\"an escape \\n and\ta tab\"", .controlCharacter, at: 17),
        Case("{\"a\rb\":1}", .controlCharacter, at: 3),
        Case("\"\\", .unexpectedEnd, at: 2),
        Case(#""\"#, .unexpectedEnd, at: 2),
        Case(#""\""#, .unexpectedEnd, at: 3),
        Case(#""a\x41""#, .invalidEscape, at: 2),
        Case(#""a\'b""#, .invalidEscape, at: 2),
        Case(#""a\0b""#, .invalidEscape, at: 2),
        Case(#""\N""#, .invalidEscape, at: 1),
        Case(#""\U0041""#, .invalidEscape, at: 1),
        Case("\"\\\n\"", .invalidEscape, at: 1),
        Case("\"\\é\"", .invalidEscape, at: 1),
        Case(#""ab\u12"#, .unexpectedEnd, at: 7),
        Case(#""ab\u12""#, .invalidEscape, at: 3),
        Case(#""ab\u12g4""#, .invalidEscape, at: 3),
        Case(#""ab\u+123""#, .invalidEscape, at: 3),
        Case(#""ab\u 123""#, .invalidEscape, at: 3),
        Case("\"\\u\u{FF11}234\"", .invalidEscape, at: 1),
        Case(#""\ud800""#, .loneSurrogate, at: 1),
        Case(#""ab\uDFFF""#, .loneSurrogate, at: 3),
        Case(#""\ude00\ud83d""#, .loneSurrogate, at: 1),
        Case(#""\ud83d\ud83d""#, .loneSurrogate, at: 1),
        Case(#""\ud83d\n""#, .loneSurrogate, at: 1),
        Case(#""\ud83d\u0041""#, .loneSurrogate, at: 1),
        Case(#""\ud83d ude00""#, .loneSurrogate, at: 1),
        Case(#""\ud83d\u12"#, .unexpectedEnd, at: 11),
        Case(#""\ud83d\uzzzz""#, .invalidEscape, at: 7),
        Case(#""\ud83d"#, .unexpectedEnd, at: 7),
        Case(#"{"\ud800":1}"#, .loneSurrogate, at: 2),
    ]

    /// Byte sequences that violate each row of table 3-7 in Unicode 16.0.
    static let encodings: [Case] = [
        .string(0x80),
        .string(0xBF),
        .string(0xC0, 0x80),
        .string(0xC1, 0xBF),
        .string(0xC2),
        .string(0xC2, 0x41),
        .string(0xDF, 0xC0),
        .string(0xE0, 0x9F, 0xBF),
        .string(0xE1, 0x80),
        .string(0xE2, 0x82, 0x41),
        .string(0xED, 0xA0, 0x80),
        .string(0xED, 0xBF, 0xBF),
        .string(0xEF, 0xBF, 0xC0),
        .string(0xF0, 0x8F, 0xBF, 0xBF),
        .string(0xF0, 0x9F, 0x98),
        .string(0xF3, 0x80, 0x41, 0x80),
        .string(0xF4, 0x90, 0x80, 0x80),
        .string(0xF5, 0x80, 0x80, 0x80),
        .string(0xF8, 0x88, 0x80, 0x80, 0x80),
        .string(0xFE),
        .string(0xFF),
        .string(0xC3, 0xA9, 0xA9, at: 2),
        .string(0xF0, 0x9F, 0x98, 0x80, 0xC3, at: 4),
        Case([0x22, 0xC3, 0x22], .invalidUTF8, at: 1),
        Case([0x22, 0xE2, 0x82, 0x22], .invalidUTF8, at: 1),
        Case([0x22, 0x5C, 0x6E, 0xFF, 0x22], .invalidUTF8, at: 3),
        Case([0x22, 0xC3, 0x5C, 0x6E, 0xA9, 0x22], .invalidUTF8, at: 1),
        Case([0x22, 0xFF, 0x5C, 0x78, 0x22], .invalidUTF8, at: 1),
        Case([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], .invalidUTF8, at: 2),
        Case([0xC3, 0xA9], .unexpectedByte, at: 0),
    ]

    @Test(
        "Invalid JSON is refused with the reason and the byte offset",
        arguments: structure + words + numbers + strings + encodings
    )
    func refuses(_ example: Case) {
        do {
            let value = try JSON.decode(example.bytes)
            Issue.record("taken for \(value)")
        } catch {
            #expect(error.code == example.code)
            #expect(error.offset == example.offset)
            #expect(error.message.hasSuffix(" at byte \(example.offset)"))
        }
    }

    @Test("A JSON text truncated anywhere is refused as ended at the point of truncation")
    func cut() {
        let whole = Array(#" {"names":["é😀","\ud83d\ude00\n"],"on":true,"n":null,"f":[-1.5e+7,{"":false}]}"#.utf8)
        #expect((try? JSON.decode(whole)) != nil)
        for length in whole.indices {
            do {
                let value = try JSON.decode(whole[..<length])
                Issue.record("the first \(length) bytes were taken for \(value)")
            } catch {
                #expect(error.code == .unexpectedEnd)
                #expect(error.offset == length)
            }
        }
    }

    @Test(
        "A JSON error is described in one line",
        arguments: [
            (#"{"a":[1,2}"#, "unexpected '}' at byte 9"),
            ("[1,", "unexpected end of text at byte 3"),
            ("[1] x", "unexpected 'x' after the value at byte 4"),
            ("\u{1}", "unexpected 0x01 at byte 0"),
            ("é", "unexpected 0xC3 at byte 0"),
            ("[-]", "']' where a number needs a digit at byte 2"),
            ("007", "leading zero in a number at byte 0"),
            ("\"\n\"", "control character 0x0A in a string, which must be escaped at byte 1"),
            (#""\q""#, "invalid escape in a string at byte 1"),
            (#""\udc00""#, "half a surrogate pair in a string at byte 1"),
            ("\u{FEFF}1", "byte order mark at byte 0"),
            (#"{"a":1,"a":2}"#, "a member name given before in the same object at byte 7"),
        ]
    )
    func messages(_ text: String, _ message: String) {
        let error = #expect(throws: JSONError.self) { try JSON.decode(text) }
        #expect(error?.message == message)
        #expect(error.map { "\($0)" } == message)
    }
}
