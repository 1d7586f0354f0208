import ScenarioLanguage
import ScenarioModel
import Testing

/// Tests how updating a list of known failures edits its file.
@Suite struct KnownFailuresWriterTests {
    private static let text = """
        # Agreed with the iOS team, ticket 12
        known:

          # Images
          - scenario: images/a.yaml   # since 3.2
            fails: [count, "never"]   # both
            reason: the spinner stays
          - scenario: images/b.yaml
            case: "two: it's"
            # not reproducible on CI
            fails:
              - until # once
            reason: |
              # of two
              lines

          # Texts
          - { scenario: texts/c.yaml, reason: short }
          - reason: last
            scenario: texts/d.yaml
            fails: eventually

        # The end

        """

    private static func edited(_ text: String, _ change: (inout KnownFailures) -> Void) throws -> String {
        let source = SourceText(file: "known.yaml", text: text)
        var list = try KnownFailuresReader.read(source, mayLackReasons: true).get()
        change(&list)
        return KnownFailuresWriter.text(of: list, replacing: source)
    }

    @Test(
        "A list without changes keeps its text",
        arguments: [text, "known: []", "known: []   # none\n\n", "# x\r\nknown: []\r\n"]
    )
    func unchanged(_ text: String) throws {
        #expect(try Self.edited(text) { _ in } == text)
    }

    @Test("New words are added to 'fails' in the form that it has, and comments remain")
    func addedWords() throws {
        let edited = try Self.edited(Self.text) { list in
            for place in [0, 1, 3] { list.entries[place].parts.append("invariant order") }
        }
        let expected = Self.text
            .replacing("\"never\"]", with: "\"never\", \"invariant order\"]")
            .replacing("- until # once\n", with: "- until # once\n      - \"invariant order\"\n")
            .replacing("fails: eventually", with: "fails: [eventually, \"invariant order\"]")
        #expect(edited == expected)
    }

    @Test("A removed entry leaves the comments between entries, and a new one is appended")
    func removedAndAppended() throws {
        let edited = try Self.edited(Self.text) { list in
            list.entries.removeSubrange(0...1)
            list.entries.append(.init(file: "new.yaml", variant: "one", parts: ["until"], reason: "?"))
        }
        let expected = """
            # Agreed with the iOS team, ticket 12
            known:

              # Images

              # Texts
              - { scenario: texts/c.yaml, reason: short }
              - reason: last
                scenario: texts/d.yaml
                fails: eventually

            # The end
              - scenario: "new.yaml"
                case: "one"
                fails: ["until"]
                reason: "?"

            """
        #expect(edited == expected)
    }

    @Test("The last entry can be removed, and a first one can be added, without the loss of a comment")
    func emptied() throws {
        let one = "# head\nknown: # the list\n- scenario: a.yaml\n  reason: x\n# tail\n"
        let none = "# head\nknown: [] # the list\n# tail\n"
        #expect(try Self.edited(one) { $0.entries = [] } == none)
        let added = "# head\nknown: # the list\n# tail\n  - scenario: \"b.yaml\"\n    reason: \"y\"\n"
        #expect(try Self.edited(none) { $0.entries = [.init(file: "b.yaml", reason: "y")] } == added)
    }

    @Test("Windows line breaks remain")
    func lineBreaks() throws {
        let text = "# head\r\nknown:\r\n  - scenario: a.yaml\r\n    reason: x\r\n"
        let edited = try Self.edited(text) { $0.entries.append(.init(file: "b.yaml", reason: "y")) }
        #expect(edited == text + "  - scenario: \"b.yaml\"\r\n    reason: \"y\"\r\n")
    }

    @Test(
        "A list in another form is written anew, with the comments above it",
        arguments: [
            "# head\nknown: [{ scenario: a.yaml, reason: x }] # gone\n",
            "# head\nknown:\n  -\n    scenario: a.yaml\n    reason: x\n",
            "# head\n{ known: [{ scenario: a.yaml, reason: x }] }\n",
        ]
    )
    func otherForms(_ text: String) throws {
        let edited = try Self.edited(text) { $0.entries.append(.init(file: "b.yaml", reason: "y")) }
        let expected = """
            # head
            known:
              - scenario: "a.yaml"
                reason: "x"
              - scenario: "b.yaml"
                reason: "y"

            """
        #expect(edited == expected)
    }
}
