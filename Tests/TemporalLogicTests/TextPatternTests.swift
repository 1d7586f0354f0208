import TemporalLogic
import Testing

@Suite struct TextPatternTests {
    @Test(
        "A text pattern matches anywhere in the text unless it is anchored",
        arguments: [
            ("abc", "xabcx", true), ("abc", "ab c", false), ("", "", true), ("", "x", true),
            ("^abc", "abcx", true), ("^abc", "xabc", false), ("abc$", "xabc", true), ("abc$", "abcx", false),
            ("^$", "", true), ("^$", "x", false), ("^abc$", "abc", true),
            ("a.c", "abc", true), ("a.c", "ac", false), ("a\\.c", "abc", false), ("a\\.c", "a.c", true),
            ("ab*c", "ac", true), ("ab*c", "abbbc", true), ("ab+c", "ac", false), ("ab+c", "abbc", true),
            ("^ab?c$", "ac", true), ("^ab?c$", "abbc", false),
            ("cat|dog", "hotdog", true), ("^(cat|dog)s?$", "dogs", true), ("^(cat|dog)s?$", "birds", false),
            ("^(ab)+$", "ababab", true), ("^(ab)+$", "ababa", false), ("^(a|)b$", "b", true), ("()", "x", true),
            ("[abc]+", "xxbxx", true), ("^[a-c]+$", "abcd", false), ("^[^a-c]+$", "xyz", true),
            ("^[^a-c]+$", "xaz", false),
            ("^[]a]+$", "]a]", true), ("^[a-]+$", "a-a", true), ("^[\\d_]+$", "1_2", true), ("^[\\]]$", "]", true),
            ("^\\d+ of \\d+$", "3 of 12", true), ("^\\d+$", "3a", false), ("^\\w+$", "größe_1", true),
            ("^\\w+$", "a b", false),
            ("\\s", "a b", true), ("^\\S+$", "a b", false), ("^\\D+$", "a1", false), ("^\\W+$", "?!", true),
            ("\\$5", "costs $5", true), ("a{2}", "a{2}", true), ("é", "café", true),
            ("Reconnected\\. \\d+ messages? synced\\.", "Reconnected. 3 messages synced.", true),
        ]
    )
    func matching(source: String, text: String, expected: Bool) throws {
        let pattern = try TextPattern(source)
        #expect(pattern.matches(text) == expected)
    }

    @Test(
        "An invalid text pattern is refused with the position and the mistake",
        arguments: [
            ("*a", 0, "nothing to repeat"), ("a**", 2, "a repetition of a repetition"),
            ("a+?", 2, "a repetition of a repetition"),
            ("^*", 1, "nothing to repeat"), ("(|*a)", 2, "nothing to repeat"),
            ("(ab", 0, "missing \")\""), ("ab)", 2, "unmatched \")\""), ("[ab", 0, "\"[\" without \"]\""),
            ("[z-a]", 0, "a range that goes backwards"), ("ab\\", 2, "\"\\\" at the end of the pattern"),
            ("\\q", 0, "unknown escape \"\\q\""), ("[\\", 1, "\"\\\" at the end of the pattern"),
            ("[a", 0, "\"[\" without \"]\""),
        ]
    )
    func mistakes(source: String, offset: Int, problem: String) {
        #expect(throws: TextPatternError.self) { try TextPattern(source) }
        do {
            _ = try TextPattern(source)
        } catch {
            #expect(error.offset == offset)
            #expect(error.problem == problem)
        }
    }

    @Test("A text pattern that is nested too deeply or too long is refused")
    func limits() {
        let deep = String(repeating: "(", count: 51) + String(repeating: ")", count: 51)
        #expect(throws: TextPatternError.self) { try TextPattern(deep) }
        #expect(throws: TextPatternError.self) { try TextPattern(String(repeating: "a", count: 1001)) }
        let allowed = String(repeating: "(", count: 50) + "a" + String(repeating: ")", count: 50)
        #expect((try? TextPattern(allowed))?.matches("a") == true)
    }

    @Test("A text pattern that other engines match in exponential time takes linear time", .timeLimit(.minutes(20)))
    func hostile() throws {
        let pattern = try TextPattern("^(a?a?a?a?a?a?a?a?a?a?)*(a|a)*(a*)*b$")
        #expect(!pattern.matches(String(repeating: "a", count: 20_000)))
        #expect(pattern.matches(String(repeating: "a", count: 20_000) + "b"))
    }
}
