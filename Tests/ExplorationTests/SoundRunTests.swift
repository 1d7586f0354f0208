import Foundation
import ScenarioModel
import Squall
import Testing

/// Regression tests for random runs in which a standing invariant wrongly blamed the client.
@Suite("Runs without a fault of the client")
struct SoundRunTests {
    @Test(
        "No standing invariant fails in a run whose client has done nothing wrong",
        arguments: SoundRuns.lifecycle + SoundRuns.messages
    )
    func isNotBlamed(_ text: String) async throws {
        let folder = NSTemporaryDirectory() + "sound-run-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/run.yaml"
        try Data("squall: 1\n\(text)\n".utf8).write(to: URL(fileURLWithPath: file))
        var options = SuiteOptions()
        options.worlds = [.sim]
        let suite = try await Suite.play(Suite.load(SuiteSelection(paths: [file])), options)
        let run = try #require(suite.runs.first)
        let blamed = run.expectations.filter { $0.word.hasPrefix("invariant ") && $0.verdict == .fail }
        #expect(blamed.map(\.why) == [])
    }
}
