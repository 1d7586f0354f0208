import Exploration
import ScenarioLanguage
import ScenarioModel
import Squall
import SquallCore
import Testing
import Trace

/// The file generated from a recording must be valid even if it omits steps that other steps refer to.
@Suite("References in recordings")
struct RecordedReferencesTests {
    private static func recording(of script: String) async throws -> Recording {
        let text = "squall: 1\nname: Recorded\nscript:\n  - wait: { connection.state: connected }\n\(script)\n"
        let scenario = try #require(try Suite.load(SourceText(file: "a.yaml", text: text)).first)
        var options = SuiteOptions()
        (options.worlds, options.jobs) = ([.sim], 1)
        return try #require(try await Suite.play([scenario], options).runs.first).recording
    }

    private static func outcome(_ recording: Recording) async throws -> SessionRecorder.Outcome {
        try await RecordedFile.scenario(of: recording, head: Draft(ending: .none), origin: "a test", file: "r.yaml")
    }

    @Test(
        "A fault without effect is left out, with the waits for its end and the steps that heal it",
        arguments: [
            """
              - network: { accept_then_close: { for: 200ms } }
              - wait: 500ms
              - server: { post: stukov }
              - wait: 1s
            """,
            """
              - network: { frames: { action: drop, type: error } }
                as: f
              - wait: 500ms
              - network: { heal: f }
              - wait: 500ms
              - server: { post: stukov }
              - wait: 1s
            """,
            """
              - network: blackhole
              - wait: 100ms
              - network: { captive_portal: { for: 200ms } }
              - wait: 500ms
              - network: heal_all
              - server: { post: stukov }
              - wait: 1s
            """,
        ]
    )
    func idleFaults(_ script: String) async throws {
        let outcome = try await Self.outcome(try await Self.recording(of: script))
        #expect(outcome.mistake == nil, "\(outcome.text)")
        #expect(outcome.text.contains("server: { post: stukov }"), "\(outcome.text)")
        #expect(outcome.text.contains("had no effect"), "\(outcome.text)")
        #expect(throws: Never.self) { try Suite.load(SourceText(file: "r.yaml", text: outcome.text)) }
    }

    @Test("A step with a text that contains '${' is left out with a remark")
    func reservedTexts() async throws {
        var recording = try await Self.recording(
            of: """
                  - server: { post: { to: stukov, text: one } }
                    as: one
                  - wait: 500ms
                  - server: { post: { to: stukov, text: two } }
                    as: two
                  - wait: 1s
                """
        )
        let place = try #require(recording.actions.firstIndex { $0.arguments.label == "one" })
        recording.actions[place].arguments = Arguments(
            [("to", .text("stukov")), ("text", .text("x ${z}"))],
            label: "one"
        )
        let outcome = try await Self.outcome(recording)
        #expect(outcome.mistake == nil, "\(outcome.text)")
        #expect(outcome.leftOut.contains("server.post with '${', which is reserved for values"), "\(outcome.leftOut)")
        #expect(outcome.text.contains("text: two"), "\(outcome.text)")
        #expect(throws: Never.self) { try Suite.load(SourceText(file: "r.yaml", text: outcome.text)) }
    }
}
