import Foundation
import SquallCore
import TestSupport
import Testing

@testable import Squall

@Suite("Comparing a client with a build whose behaviour was saved")
struct SavedBehaviourTests {
    private static let scenario = """
        squall: 1
        name: A partner who is busy
        with:
          - { span: 1s, name: short }
          - { span: 5s, name: long }
        script:
          - user: { open: stukov }
          - wait: { connection.state: connected }
          - user: open_list
          - server: { presence: { user: stukov, status: busy } }
          - wait: ${span}
        expect:
          - eventually: { connection.state: connected }
        """

    /// Passes the scenario's file and the path of a file to save to.
    private static func withFiles(_ body: (_ scenario: String, _ saved: String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "saved-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try scenario.write(toFile: "\(folder)/a.yaml", atomically: true, encoding: .utf8)
        try await body("\(folder)/a.yaml", "\(folder)/saved")
    }

    private static func options(defects: [String] = [], seed: UInt64 = 1) -> ExploreOptions {
        var options = ExploreOptions()
        (options.defects, options.seed, options.jobs, options.comparedClient) = (defects, Seed(seed), 2, .reference)
        return options
    }

    @Test("the same build does not differ from its saved behaviour; a build with a defect differs")
    func comparing() async throws {
        try await Self.withFiles { scenario, path in
            let (saved, isInterrupted) = try await ScenarioComparer([scenario], Self.options(seed: 7)).save()
            #expect(saved.usable == 2 && saved.obstacles.isEmpty && !isInterrupted)
            try saved.write(to: path)
            let read = try SavedBehaviour(reading: path)
            #expect(read.cases == saved.cases && read.seed == Seed(7) && read.client == "reference")
            let same = try await ScenarioComparer([scenario], Self.options(), against: read).compare()
            #expect(same.compared == 2 && same.differing == 0)
            let defects = Self.options(defects: ["noAgentStatus"])
            let other = try await ScenarioComparer([scenario], defects, against: read).compare()
            #expect(other.compared == 2 && other.differing == 2, "\(other.cases)")
        }
    }

    @Test("a case that the file does not include is not compared")
    func otherCases() async throws {
        try await Self.withFiles { scenario, _ in
            let saved = SavedBehaviour(client: "reference", seed: Seed(1))
            let result = try await ScenarioComparer([scenario], Self.options(), against: saved).compare()
            #expect(result.compared == 0)
            #expect(Set(result.cases.map(\.obstacle)) == ["the saved behaviour does not include it"])
        }
    }

    @Test(
        "a file with other contents is rejected with the number of the line",
        arguments: [("", 1), ("{}\n", 1), ("\u{FEFF}squall: 1\n", 1)]
    )
    func otherContents(text: String, line: Int) async throws {
        try await Self.withFiles { _, path in
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let error = #expect(throws: SquallError.self) { try SavedBehaviour(reading: path) }
            #expect(error?.message.hasPrefix("squall: \(path):\(line): ") == true, "\(error?.message ?? "")")
        }
    }

    @Test("a damaged line is rejected, and a missing file as well")
    func damage() async throws {
        try await Self.withFiles { scenario, path in
            let (saved, _) = try await ScenarioComparer([scenario], Self.options()).save()
            try saved.write(to: path)
            let whole = try String(contentsOfFile: path, encoding: .utf8)
            try String(whole.dropLast(20)).write(toFile: path, atomically: true, encoding: .utf8)
            let error = #expect(throws: SquallError.self) { try SavedBehaviour(reading: path) }
            #expect(error?.message.contains(":3: this line describes no case") == true, "\(error?.message ?? "")")
            #expect(throws: SquallError.self) { try SavedBehaviour(reading: "\(path).missing") }
        }
    }
}
