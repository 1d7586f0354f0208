import Foundation
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests that malformed and hostile files lead to a clear error rather than a crash or a hang.
@Suite(.timeLimit(.minutes(20))) struct RobustnessTests {
    private func complaint(_ text: String) -> String? {
        let source = SourceText(file: "f.yaml", text: text)
        guard case .failure(let mistakes) = ScenarioReader.read(source) else { return nil }
        #expect(!mistakes.diagnostics.isEmpty)
        #expect(mistakes.rendered(in: source).utf8.count < 200_000)
        return mistakes.diagnostics.first?.message
    }

    private static let whole = """
        squall: 1
        name: A whole file
        profile: chat-ux
        clients: { anna: 1, crowd: 2 }
        set: { heartbeat: { interval: 10s } }
        with:
          - { kind: drop, order: { permutations of: [0, 1] }, name: "one ${kind} ${order0}", order0: a }
          - { kind: reset_peer, order: [1, 0], order0: "b" }
        script:
          - anna.user: { send: "hi", to: "${order0}", as: hello }
          - wait: { next: "server.stored[hello]", within: $heartbeat.pong_limit + 5s }
          - server: { hold: confirm, as: later }
          - server: { release: { label: later, order: "${order}" } }
          - network: { "${kind}": { clients: [crowd] } }
            as: trouble
            at: client.backoff.began#2 + 500ms
        expect:
          - eventually: { anna.message.status[hello]: delivered }
        """.replacing("anna.message.status[hello]", with: "\"anna.message.status[hello]\"") + """

              - leads_to: { when: crowd.disconnected, then: { crowd.connection.state: connected }, covers: [UX-2.5a] }
              - never: { crowd.view.rows: { each: { where: { message.status: failed }, is: hello } }, during: trouble }
              - delivered: { client: crowd, lost: { at_most: 1 } }
            invariants: { waive: { order: "why not" } }
            """

    @Test("The sample file that the fuzz tests mutate is valid")
    func wholeFileIsRight() throws {
        let source = SourceText(file: "f.yaml", text: Self.whole)
        let result = ScenarioReader.read(source)
        if case .failure(let mistakes) = result { Issue.record("\(mistakes.rendered(in: source))") }
        #expect(try result.get().count == 3)
    }

    @Test("An empty file is an error")
    func nothing() {
        #expect(complaint("") == "this file is empty")
        #expect(complaint(" \n\n  \n") == "this file is empty")
        #expect(complaint("---\n") != nil)
        #expect(complaint("null\n") != nil)
        #expect(complaint("\u{FEFF}") == "this file is empty")
    }

    @Test("A file with control characters is an error")
    func noText() {
        #expect(complaint("\u{0}\u{1}\u{2}") == "this file is not valid text: control characters are not allowed")
        #expect(
            complaint(String(decoding: (0..<4096).map { UInt8(truncatingIfNeeded: $0 * 7919) }, as: UTF8.self)) != nil
        )
        #expect(complaint("squall: 1\nname: \u{FFFD}\u{7}\n") != nil)
    }

    @Test("A file above the size limit is an error, but a long line is not")
    func tooLarge() {
        let line = "# " + String(repeating: "x", count: 97) + "\n"
        #expect(
            complaint("squall: 1\n" + String(repeating: line, count: 100_000))?.contains("the limit is")
                == true
        )
        let long = "squall: 1\nname: " + String(repeating: "x", count: 200_000) + "\nscipt: 1\n"
        #expect(complaint(long) == "unknown key 'scipt' of a scenario")
    }

    @Test("Too deeply nested YAML is an error")
    func tooDeep() {
        for count in [50, 999, 1001, 100_000] {
            let open = String(repeating: "[", count: count)
            #expect(complaint("squall: 1\nname: \(open)\(String(repeating: "]", count: count))\n") != nil)
            #expect(complaint("squall: 1\nname: \(open)\n") != nil)
            let braces = String(repeating: "{a: ", count: count) + String(repeating: "}", count: count)
            #expect(complaint("squall: 1\nname: \(braces)\n") != nil)
        }
        let steps = (0..<300).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
        #expect(complaint("squall: 1\n" + steps)?.contains("levels deep") == true)
    }

    /// Returns a file in which every alias expands to several copies of the previous one.
    private func bomb(levels: Int, width: Int, asKeys: Bool = false) -> String {
        var text = "squall: 1\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...levels {
            let aliases = Array(repeating: "*a\(level - 1)", count: width).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        if asKeys { text += "keys: { ? *a\(levels) : 1, ? *a\(levels) : 2 }\n" }
        return text
    }

    @Test("Aliases that expand exponentially are an error")
    func aliasesOfAliases() {
        #expect(complaint(bomb(levels: 9, width: 9)) == "this file has more than 12 aliases")
        #expect(complaint(bomb(levels: 30, width: 2)) == "this file has more than 12 aliases")
        #expect(complaint(bomb(levels: 30, width: 2, asKeys: true)) == "this file has more than 12 aliases")
        // These files stay within the limit of 12 aliases, but are invalid for other reasons.
        #expect(complaint(bomb(levels: 4, width: 3)) != nil)
        #expect(complaint(bomb(levels: 3, width: 3, asKeys: true)) != nil)
        #expect(complaint("squall: 1\nname: &a [*a]\n") != nil)
    }

    @Test("A few aliases are allowed")
    func aFewAliasesAreNoTrouble() throws {
        let source = SourceText(
            file: "f.yaml",
            text: """
                squall: 1
                name: &name One and the same
                script:
                  - &open { user: { open: stukov } }
                  - *open
                expect:
                  - never: { toast.text: *name }
                """
        )
        #expect(try ScenarioReader.read(source).get().first?.script.count == 2)
    }

    @Test("Asterisks and ampersands in strings are not aliases")
    func starsInTexts() {
        let sends = (0..<30).map { "  - user: { send: \"*bold\($0)* & *more*\", to: stukov }" }.joined(separator: "\n")
        #expect(scenarios("script:\n\(sends)").first?.script.count == 30)
    }

    @Test("More than 1000 cases in a scenario file are an error")
    func floodOfCases() {
        let lists = (0..<60).map { "a\($0): [1, 2, 3, 4, 5, 6, 7, 8, 9]" }.joined(separator: ", ")
        #expect(complaint("squall: 1\nname: n\nwith: { \(lists) }\n")?.contains("more than 1000 cases") == true)
        let rows = Array(repeating: "  - { permutations of: [a] }", count: 30_000).joined(separator: "\n")
        #expect(complaint("squall: 1\nname: n\nwith:\n\(rows)\n") != nil)
    }

    /// Each row of permutations produces 720 cases; all rows together would produce nearly three million.
    @Test("Permutations with more than 1000 cases are rejected quickly", .timeLimit(.minutes(20)))
    func floodOfPermutations() {
        let rows = Array(repeating: "  - { o: { permutations of: [a, b, c, d, e, f] } }", count: 4000)
        let text = "squall: 1\nname: n\nwith:\n\(rows.joined(separator: "\n"))\n"
        #expect(complaint(text)?.contains("more than 1000 cases") == true)
    }

    @Test("At most 1000 errors are kept, and at most 100 are shown")
    func floodOfMistakes() {
        let steps = (0..<8000).map { "  - nonsense\($0): 1\n" }.joined()
        let source = SourceText(file: "f.yaml", text: "squall: 1\nname: n\nscript:\n" + steps)
        guard case .failure(let mistakes) = ScenarioReader.read(source) else {
            Issue.record("it is read")
            return
        }
        #expect(mistakes.diagnostics.count == 1000)
        #expect(mistakes.rendered(in: source).hasSuffix("f.yaml: 900 more mistakes are not shown"))
    }

    @Test("A thousand clients are allowed, and more are an error")
    func manyClients() {
        #expect(scenarios("clients: { crowd: 1000 }").first?.clients.count == 1000)
        #expect(complaints("clients: { crowd: 1000, mob: 1000 }") == ["2000 clients are too many; the limit is 1000"])
    }

    @Test("Every line ending, a byte order mark and YAML directives are accepted")
    func lineEndsAndMarks() throws {
        for text in [
            Self.whole.replacing("\n", with: "\r\n"), Self.whole.replacing("\n", with: "\r"), "\u{FEFF}\(Self.whole)",
            "%YAML 1.1\n---\n\(Self.whole)\n...\n",
        ] {
            let source = SourceText(file: "f.yaml", text: text)
            let result = ScenarioReader.read(source)
            if case .failure(let mistakes) = result { Issue.record("\(mistakes.rendered(in: source))") }
            #expect(try result.get().count == 3)
        }
    }

    @Test("Lines are counted correctly for every kind of line ending")
    func linesOfEveryKindAreCounted() {
        let source = SourceText(file: "f", text: "a\r\nb\rc\nd\u{85}e\u{2028}f")
        #expect((1...6).map { source.line($0) } == ["a", "b", "c", "d", "e", "f"])
        #expect(source.line(0) == nil)
        #expect(source.line(7) == nil)
    }

    // MARK: - Random mutations

    /// Parses a text and checks that the locations of its errors are inside the text and in ascending order.
    ///
    /// The error for an unclosed bracket is located at the end of the text, which may be one line after the last one.
    private func checkLocations(_ text: String) {
        let source = SourceText(file: "f.yaml", text: text)
        switch ScenarioReader.read(source) {
        case .success(let cases): #expect(!cases.isEmpty, "\(text)")
        case .failure(let mistakes):
            let places = mistakes.diagnostics.map { ($0.location.line, $0.location.column) }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(\.unicodeScalars.count) + [0]
            #expect(!places.isEmpty, "\(text)")
            #expect(zip(places, places.dropFirst()).allSatisfy { $0 <= $1 }, "\(text)")
            for (line, column) in places {
                #expect(lines.indices.contains(line - 1), "line \(line) of \(text)")
                guard lines.indices.contains(line - 1) else { continue }
                #expect(1...lines[line - 1] + 1 ~= column, "\(line):\(column) of \(text)")
            }
            #expect(mistakes.rendered(in: source).hasPrefix("f.yaml:"))
        }
    }

    @Test("Every prefix of a valid file is either accepted or has errors with valid locations")
    func everyBeginning() {
        for length in stride(from: 0, to: Self.whole.count, by: 7) {
            checkLocations(String(Self.whole.prefix(length)))
        }
    }

    @Test("A file with mutated characters is either accepted or has errors with valid locations")
    func charactersChanged() {
        var generator = SeededGenerator(state: 7)
        let characters = Array(Self.whole)
        let others = Array("{}[]:,-#\"'&*!|>%@`$ \n\tax1é\u{0}😀")
        for _ in 0..<400 {
            var changed = characters
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                let index = Int.random(in: changed.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: changed.remove(at: index)
                case 1: changed[index] = others[Int.random(in: others.indices, using: &generator)]
                default: changed.insert(others[Int.random(in: others.indices, using: &generator)], at: index)
                }
            }
            checkLocations(String(changed))
        }
    }

    /// Most of the mutated texts are valid YAML, but few are valid scenarios.
    @Test("A file with misplaced keywords is either accepted or has errors with valid locations")
    func wordsChanged() {
        var generator = SeededGenerator(state: 11)
        let words = Self.whole.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let others =
            ScenarioReader.words.map { "\($0):" } + [
                "{}", "[]", "null", "5s", "-5s", "$heartbeat.interval", "${kind}", "[a,", "b]", "true",
                "9223372036854775808",
                "connected", "client.connected", "\"message.status[*]\":", "{", "}", "-", "*", "permutations",
            ]
        for _ in 0..<600 {
            var changed = words
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                let index = Int.random(in: changed.indices, using: &generator)
                changed[index] =
                    Bool.random(using: &generator)
                    ? others[Int.random(in: others.indices, using: &generator)]
                    : words[Int.random(in: words.indices, using: &generator)]
            }
            checkLocations(changed.joined(separator: " "))
        }
    }
}
