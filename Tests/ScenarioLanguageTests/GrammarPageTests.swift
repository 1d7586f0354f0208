import Foundation
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests the examples on the scenario language's documentation page, and a longer scenario.
@Suite struct GrammarPageTests {
    static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/Squall/Squall.docc/ScenarioLanguage.md")

    private static let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""

    static let examples: [String] = text.components(separatedBy: "```yaml\n").dropFirst().compactMap { part in
        part.components(separatedBy: "\n```").first
    }

    @Test("The grammar page has at least eight examples")
    func thereAreExamples() {
        #expect(Self.examples.count >= 8)
    }

    @Test("Every example on the grammar page is a valid scenario", arguments: examples)
    func reads(_ example: String) throws {
        let head = example.hasPrefix("squall:") ? "" : "squall: 1\nname: An example\n"
        let source = SourceText(file: "example.yaml", text: head + example)
        let result = ScenarioReader.read(source)
        if case .failure(let mistakes) = result { Issue.record("\(mistakes.rendered(in: source))") }
        #expect(try !result.get().isEmpty)
    }

    /// The page must name the operators of `expect`, the top-level keys and the scopes.
    @Test("The grammar page documents every keyword of the scenario language")
    func namesEveryWord() {
        for word in ScenarioReader.words {
            #expect(Self.text.contains("`\(word)") || Self.text.contains("\(word):"), "\(word) is not on the page")
        }
    }

    @Test("The grammar page names every profile")
    func namesEveryProfile() {
        for name in ProfileReader.names { #expect(Self.text.contains("`\(name)`")) }
    }

    @Test("A complete scenario is parsed into the expected steps and formulas")
    func designReads() throws {
        let source = SourceText(
            file: "design.yaml",
            text: """
                squall: 1
                name: Messages that arrive while the server restarts are delivered once after it
                profile: chat-ux
                tags: [reconnection, smoke]
                server: { replay: { messages: 1000, age: 1h } }
                script:
                  - user: { open: stukov }
                  - wait: { connection.state: connected }
                  - server: { restart: { down: 12s } }
                  - server: { post: { to: stukov, count: 3 } }                 # stored while it is down
                  - wait: { next: { connection.state: connected }, within: 20s }
                expect:
                  - leads_to: { when: server.stopped, then: { connection.state: reconnecting }, within: 1s, covers: [UX-2.5a] }
                  - leads_to: { when: client.connected#2, then: { toast.text: "Reconnected. 3 messages synced." }, within: 500ms, covers: [UX-2.5c] }
                  - delivered: { conversation: stukov, lost: 0, duplicated: 0, reordered: 0 }
                  - never: { connection.state: offline }
                """
        )
        let result = ScenarioReader.read(source)
        if case .failure(let mistakes) = result { Issue.record("\(mistakes.rendered(in: source))") }
        let design = try #require(try result.get().first)
        #expect(design.script.count == 5)
        #expect(design.expectations.count == 4)
        let toast = ObservablePredicate(ObservableReference("toast.text"), .equals("Reconnected. 3 messages synced."))
        #expect(
            design.expectations[1].formula
                == .leadsTo(when: .event(EventPattern("client.connected", ordinal: 2)), then: .state(toast))
        )
        #expect(design.expectations[1].covers == ["UX-2.5c"])
        #expect(design.expectations[1].bound == .milliseconds(500))
    }
}
