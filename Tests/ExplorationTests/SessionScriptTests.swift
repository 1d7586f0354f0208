import Exploration
import Foundation
import ScenarioLanguage
import ScenarioModel
import Squall
import SquallCore
import TestSupport
import Testing
import Trace

/// Tests that a script generated from a recording reproduces the observations of the recorded run.
@Suite("Recordings as scripts")
struct SessionScriptTests {
    /// Whether to record every case, as `make soak` does.
    private static let isSoak = ProcessInfo.processInfo.environment["SQUALL_SOAK"] == "1"

    /// A scenario without expectations, and the draft from which it was parsed.
    private struct Original {
        var draft: Draft
        var scenario: Scenario
        var seed = Seed(1)
    }

    /// The scenarios that kill the app between two parts of an upload. When the recording is replayed, the kill may
    /// come before or after a part's bytes have arrived.
    private static let killsTransfers: Set = ["media/progress-never-goes-back.yaml"]

    @Test(
        "Each scenario of the suite shows the same transitions after it is recorded and played again",
        arguments: 0...3
    )
    func scenarios(_ part: Int) async throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Tool.package.path + "/Scenarios")
            .filter { $0.hasSuffix(".yaml") }.sorted()
        var originals: [Original] = []
        // Files are selected by a hash of their names, so adding a file does not change which others are recorded.
        let chosen = files.filter { !Self.killsTransfers.contains($0) }
        for path in chosen where Self.number(path) % (Self.isSoak ? 4 : 16) == part * (Self.isSoak ? 1 : 4) {
            let place = Tool.package.appendingPathComponent("Scenarios/\(path)")
            let source = SourceText(file: place.path, text: try String(contentsOf: place, encoding: .utf8))
            guard case .success(let cases) = ScenarioReader.read(source) else { continue }
            for meant in cases where meant.allows(.sim) && meant.unsupportedFrames.isEmpty {
                var draft = try #require(ScenarioReader.draft(source, variant: meant.variant))
                draft.expectations = []
                originals.append(Original(draft: draft, scenario: try Self.read(draft, place.path)))
            }
        }
        #expect(originals.count > 20)
        try await Self.expectSame(originals)
    }

    @Test("Random scenarios show the same transitions after they are recorded and played again", arguments: 1...4)
    func randomDrafts(_ part: Int) async throws {
        let generator = try RoundTripTests.generator(seed: UInt64(part))
        let originals = try (1...(Self.isSoak ? 200 : 12)).map { run in
            let trial = generator.trial(run)
            return Original(draft: trial.draft, scenario: try Self.read(trial.draft, "draft"), seed: trial.seed)
        }
        try await Self.expectSame(originals)
    }

    @Test(
        "A recorded scenario passes, each of its expectations can fail, and Squall's own client gives the same file",
        arguments: [
            "sending/dropped-between-send-and-confirm", "silence/half-open-must-be-noticed",
            "server/restart-while-messages-arrive",
        ]
    )
    func recordedFiles(_ name: String) async throws {
        let place = Tool.package.appendingPathComponent("Scenarios/\(name).yaml")
        let source = SourceText(file: place.path, text: try String(contentsOf: place, encoding: .utf8))
        let scenario = try #require(try Suite.load(source).first)
        let head = try #require(ScenarioReader.draft(source, variant: scenario.variant))
        let recording = try await Self.play(scenario, Seed(1))
        let outcome = try await RecordedFile.scenario(of: recording, head: head, origin: "a test", file: "r.yaml")
        #expect(outcome.failure == nil, "\(outcome.text)")
        #expect(outcome.actions == recording.actions.count)
        #expect(outcome.expectations > 2)
        #expect(!outcome.text.contains("The replay is not the same"), "\(outcome.text)")
        let recorded = try #require(try Suite.load(SourceText(file: "r.yaml", text: outcome.text)).first)
        let findings = try ScenarioAudit.findings(of: recorded, seed: Seed(1), prove: true, races: false)
        #expect(findings == [], "\(outcome.text)")
        var options = SuiteOptions()
        options.jobs = 1
        let runs = try await Suite.play([recorded], options).runs
        #expect(runs.map(\.verdict) == [.pass, .pass], "\(outcome.text)")
    }

    @Test("Recording a trace without actions throws an error")
    func nothingDone() async throws {
        let scenario = try #require(try Suite.load(SourceText(file: "a", text: "squall: 1\nname: a\n")).first)
        let recording = try await Self.play(scenario, Seed(1))
        await #expect(throws: SquallError.self) {
            try await RecordedFile.scenario(of: recording, head: Draft(ending: .none), origin: "a test", file: "a.yaml")
        }
    }

    /// Returns a hash of the name that is the same in every process.
    private static func number(_ name: String) -> Int {
        name.utf8.reduce(0) { ($0 * 31 + Int($1)) % 65_521 }
    }

    private static func read(_ draft: Draft, _ file: String) throws -> Scenario {
        let profile = try? ProfileReader.profile(named: draft.profile)
        let text = ScenarioWriter.text(of: draft, (profile ?? nil) ?? Profile(), .init(name: "recorded"))
        return try #require(try Suite.load(SourceText(file: file, text: text)).first)
    }

    private static func play(_ scenario: Scenario, _ seed: Seed) async throws -> Recording {
        var options = SuiteOptions()
        (options.worlds, options.seed, options.jobs) = ([.sim], seed, 1)
        let suite = try await Suite.play([scenario], options)
        return try #require(suite.runs.first).recording
    }

    @Test("When a fault is removed from a script, so are its heal and the waits for its end")
    func removal() async throws {
        var draft = Draft(ending: .none)
        draft.body = try [
            Move(.network, "blackhole", label: "tunnel"), .rest(.seconds(1)),
            Move(.network, "heal", [("label", .text("tunnel"))]), .rest(.seconds(1)),
            Move(.network, "stall", [("for", .duration(.seconds(2)))], label: "gap"), .rest(.seconds(4)),
            Move(.server, "post", [("to", .text("stukov"))]),
        ]
        .map { try #require($0) }
        let recording = try await Self.play(try Self.read(draft, "draft"), Seed(1))
        var script = SessionScript(recording, head: draft, within: .seconds(30))
        func text() -> String { ScenarioWriter.text(of: script.draft, Profile(), .init(name: "recorded")) }
        func place(_ verb: String) throws -> Int {
            try #require(script.steps.firstIndex { $0.move?.is(.network, verb) == true })
        }
        #expect(text().contains("fault.ended[gap]"), "\(text())")
        #expect(script.remove(try place("stall")) == [])
        #expect(!text().contains("gap") && text().contains("tunnel"), "\(text())")
        #expect(script.remove(try place("blackhole")).map(\.name) == ["network.heal"])
        #expect(!text().contains("tunnel"), "\(text())")
        #expect(try await Self.play(try Self.read(script.draft, "draft"), Seed(1)).ending.isFinished)
    }

    @Test("Pauses of a real client are recorded in whole milliseconds, those of Squall's own client exactly")
    func pauses() async throws {
        let text = "squall: 1\nname: a\nscript:\n  - wait: 3356214690ns\n  - device: background\n"
        let scenario = try #require(try Suite.load(SourceText(file: "a", text: text)).first)
        var recording = try await Self.play(scenario, Seed(1))
        func written() -> String {
            let script = SessionScript(recording, head: Draft(ending: .none), within: .seconds(5))
            return ScenarioWriter.text(of: script.draft, Profile(), .init(name: "recorded"))
        }
        #expect(written().contains("wait: 3355214.69us"), "\(written())")
        recording.header.client = .object([])
        #expect(written().contains("wait: 3.355s\n"), "\(written())")
    }

    private static func expectSame(_ originals: [Original]) async throws {
        for original in originals {
            let recording = try await play(original.scenario, original.seed)
            // A recording without actions, or of an unfinished run, cannot be played again.
            guard recording.ending.isFinished, !recording.actions.isEmpty else { continue }
            let within = original.scenario.profile.expectWithin
            let script = SessionScript(recording, head: original.draft, within: within)
            let again = try await play(try read(script.draft, original.scenario.file), original.seed)
            let name = "\(original.scenario.file) \(original.scenario.variant ?? "") seed \(original.seed.value)"
            #expect(again.ending.isFinished, "\(name): \(again.ending)")
            #expect(
                again.end - recording.end < .milliseconds(1),
                "\(name): ended at \(again.end), not \(recording.end)"
            )
            let difference = ShownSeries(recording).difference(from: ShownSeries(again))
            let text = ScenarioWriter.text(of: script.draft, Profile(), .init(name: "recorded"))
            #expect(difference == nil, "\(name)\n\(text)")
        }
    }
}
