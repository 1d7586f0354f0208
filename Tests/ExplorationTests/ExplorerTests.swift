import Exploration
import Foundation
import ScenarioModel
import SquallCore
import TestSupport
import Testing

@testable import Squall

@Suite("Exploring and shrinking with Squall's own client")
struct ExplorerTests {
    private static func folder() -> String {
        NSTemporaryDirectory() + "exploration-\(UUID().uuidString)"
    }

    @Test("exploration finds a client without a heartbeat and writes a scenario that fails when it is played")
    func plantedDefect() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var options = ExploreOptions()
        options.defects = ["noHeartbeat"]
        options.limit = .runs(40)
        options.untilFail = true
        options.jobs = 2
        options.folder = folder
        let result = try await Explorer(options).explore()
        let found = try #require(result.found.first)
        #expect(found.isConfirmed)
        #expect(found.finding.draft.size <= 6)
        #expect(found.finding.tries <= Shrinker.most + 2)
        let text = try String(contentsOfFile: try #require(found.path), encoding: .utf8)
        #expect(text.contains("# Replay: squall run \(folder)/"))
        #expect(text.contains("--defect noHeartbeat"))
    }

    @Test("the findings do not depend on the number of parallel runs")
    func jobs() async throws {
        func found(jobs: Int) async throws -> [String] {
            var options = ExploreOptions()
            (options.limit, options.jobs, options.defects) = (.runs(12), jobs, ["noBackoff"])
            options.profiles = ["default"]
            return try await Explorer(options).explore().found.map { "\($0.title) \($0.count) \($0.replay)" }
        }
        let alone = try await found(jobs: 1)
        #expect(!alone.isEmpty)
        #expect(try await found(jobs: 3) == alone)
    }

    @Test("a failing scenario is reduced to the step that causes the failure and the failing expectation")
    func shrinksFile() async throws {
        let file = Self.folder() + ".yaml"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let scenario = """
            squall: 1
            name: long
            profile: chat-ux
            set: { history.page: 10 }
            script:
              - user: { open: stukov }
              - wait: { connection.state: connected }
              - user: { send: one }
                as: one
              - wait: { "message.status[one]": delivered }
              - server: { post: stukov }
              - network: { refuse: { for: 20s } }
              - network: drop
              - wait: 3s
              - user: { send: two }
                as: two
              - wait: 2s
            expect:
              - eventually: { "message.status[one]": delivered }
              - always: { connection.state: connected }
                after: { connection.state: connected }
            """
        try Data(scenario.utf8).write(to: URL(fileURLWithPath: file))
        let result = try await ScenarioShrinker(file, ExploreOptions()).shrink(case: nil, writingTo: "small.yaml")
        #expect(result.isMinimal)
        #expect(result.sizes.before == 10)
        #expect(result.sizes.after <= 3)
        #expect(result.text.contains("- network: drop"))
        #expect(!result.text.contains("eventually"))
        #expect(result.text.contains("always"))
    }

    @Test("a scenario that passes is not shrunk")
    func passes() async throws {
        let file = Tool.package.path + "/Scenarios/connection/ordinary-path.yaml"
        await #expect(throws: SquallError.self) {
            _ = try await ScenarioShrinker(file, ExploreOptions()).shrink(case: nil, writingTo: "small.yaml")
        }
    }
}
