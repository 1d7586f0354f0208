import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests that runs with the same seed produce identical traces in different processes. Hash seeding stays enabled, so
/// hash values differ between the processes.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct DeterminismTests {
    private func digests(_ arguments: [String]) throws -> [String: String] {
        let ending = try Command(["run"] + arguments + ["--world", "sim", "--format", "json"]).ending()
        let runs = try JSON.decode(ending.output)["scenarios"]?.arrayValue ?? []
        return Dictionary(
            runs.map { run in
                let name = [run["file"], run["case"], run["seed"]].map { $0.map(String.init(describing:)) ?? "" }
                return (name.joined(separator: " "), run["digest"]?.stringValue ?? "none")
            },
            uniquingKeysWith: { "\($0) and \($1)" }
        )
    }

    /// Runs only every sixth case, unless `SQUALL_SOAK=1` in the environment requests a soak run.
    @Test("Two processes give the same trace digests for the same seed")
    func twoProcessesGiveTheSameDigests() throws {
        let isSoak = ProcessInfo.processInfo.environment["SQUALL_SOAK"] == "1"
        let arguments = ["Scenarios", "--seed", "7"] + (isSoak ? [] : ["--shard", "2/6"])
        let first = try digests(arguments)
        let second = try digests(arguments)
        #expect(!first.isEmpty)
        for name in first.keys.sorted() { #expect(first[name] == second[name], "\(name)") }
    }

    @Test("A different seed gives different trace digests")
    func anotherSeedGivesAnotherRun() throws {
        #expect(
            try digests(["Tests/SquallCommandTests/Golden"])
                != digests(["Tests/SquallCommandTests/Golden", "--seed", "2"])
        )
    }

    /// A changed digest means that the run has changed. Find out why before you record new digests with `RECORD=1`.
    @Test("The golden scenarios have the recorded digests")
    func threeRunsAreAsRecorded() throws {
        let folder = Command.package.appendingPathComponent("Tests/SquallCommandTests/Golden")
        let found =
            try digests([folder.path]).map { "\(URL(fileURLWithPath: "/\($0)").lastPathComponent) \($1)" }
            .sorted().joined(separator: "\n") + "\n"
        let file = folder.appendingPathComponent("digests.txt")
        if ProcessInfo.processInfo.environment["RECORD"] != nil {
            try Data(found.utf8).write(to: file)
        }
        #expect(found == String(decoding: try Data(contentsOf: file), as: UTF8.self))
        #expect(found.split(separator: "\n").count == 3)
    }
}
