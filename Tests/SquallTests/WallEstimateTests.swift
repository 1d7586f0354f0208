import Foundation
import ScenarioModel
import SquallCore
import Testing

@testable import Squall

/// Tests the message printed before a suite runs in real time.
@Suite struct WallEstimateTests {
    private static func estimate(_ seconds: [Int64], unknown: Int = 0, times: Int = 1, jobs: Int = 4) -> WallEstimate {
        let lengths = seconds.enumerated().map { WallEstimate.Length(title: "Case \($0)", span: .seconds($1)) }
        return WallEstimate(lengths, unknown: unknown, times: times, jobs: jobs)
    }

    @Test("Runs are divided among the parallel jobs, and a single run is not divided")
    func runsAreDividedAmongJobs() {
        #expect(Self.estimate([60, 60, 60, 60]).span == .seconds(60))
        #expect(Self.estimate([600, 1, 1, 1]).span == .seconds(600))
        #expect(Self.estimate([60, 60], times: 10, jobs: 2).span == .seconds(600))
        #expect(Self.estimate([Int64.max / 1_000_000_000], times: 1_000_000).span > .seconds(1), "no overflow")
    }

    @Test("The estimate of a long suite names its longest case and how to play a shard; a short suite gets none")
    func longSuitesAreTold() {
        #expect(Self.estimate([]).sentence == nil)
        #expect(Self.estimate([5, 5, 5]).sentence == nil)
        #expect(
            Self.estimate([300, 600, 60], unknown: 2).sentence
                == "squall: 3 runs at wall time, 4 at a time, and 2 whose duration is unknown: about 10 min ('Case 1' "
                + "alone takes 10 min). --budget 5m plays a part of them"
        )
        let sentence = "squall: 1 run at wall time, 4 at a time: about 90 s. --budget 5m plays a part of them"
        #expect(Self.estimate([90]).sentence == sentence)
    }

    @Test("The estimated time of a case is how long Squall's own client takes to play it")
    func aCaseIsAsLongAsItIsPlayed() async throws {
        let text = """
            squall: 1
            name: A minute of waiting
            script:
              - user: { open: stukov }
              - wait: 60s
            expect:
              - never: client.gave_up

            """
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("squall-minute-\(getpid()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try text.write(to: file, atomically: true, encoding: .utf8)
        let scenarios = try Suite.load(SuiteSelection(paths: [file.path]))
        let estimate = await WallEstimate.of(scenarios.map { RunPlan($0) }, times: 1, jobs: 2)
        #expect(estimate.span >= .seconds(60) && estimate.span < .seconds(61), "\(estimate.span)")
    }
}
