import Faults
import Foundation
import ScenarioModel
import Simulation
import SquallCore
import Synchronization
import TestSupport
import Testing
import Trace

@testable import Squall

/// Tests that, apart from the hold events, holding and releasing a run does not change it.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct HoldTests {
    private static let scenarios =
        URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path + "/Scenarios"

    /// Returns every `stride`-th case, in file order.
    private static func cases(every stride: Int) throws -> [Scenario] {
        let all = try Suite.load(SuiteSelection(paths: [scenarios])).filter { $0.allows(.sim) && $0.clients.count < 10 }
        return all.indices.filter { $0 % stride == 0 }.map { all[$0] }
    }

    /// Returns a run with one client and one connection.
    private static func ordinary() throws -> Scenario {
        try #require(try Suite.load(SuiteSelection(paths: ["\(scenarios)/connection/ordinary-path.yaml"])).first)
    }

    private static func plan(_ scenario: Scenario, heldAt event: String) throws -> RunPlan {
        var options = SuiteOptions()
        options.hold = HoldPlan(event: event) { _ in .release }
        return try Suite.plan(scenario, options, seed: Seed(1))
    }

    /// Removes the hold events and renumbers the remaining events.
    private static func withoutHolds(_ events: [TraceEvent]) -> [TraceEvent] {
        var places: [Int: Int] = [:]
        var kept: [TraceEvent] = []
        for var event in events where event.name != "run.hold_began" && event.name != "run.hold_ended" {
            places[event.index] = kept.count
            event.index = kept.count
            event.cause = event.cause.flatMap { places[$0] }
            kept.append(event)
        }
        return kept
    }

    @Test("A run stepped from event to event has the same trace and verdicts as an uninterrupted run")
    func stepped() throws {
        for scenario in try Self.cases(every: 37) {
            let plan = RunPlan(scenario)
            let usual = SimulatedWorld.play(plan)
            var holds = 0
            let stepped = SimulatedWorld.play(try Self.plan(scenario, heldAt: "server.started"), capturing: false) {
                false
            } onHold: { moment in
                holds += 1
                return holds < 3_000 ? .step : .release
            }.result
            #expect(holds > 2, "\(scenario.title)")
            #expect(Self.withoutHolds(stepped.recording.events) == usual.recording.events, "\(scenario.title)")
            #expect(stepped.recording.ending == usual.recording.ending, "\(scenario.title)")
            #expect(stepped.recording.end == usual.recording.end, "\(scenario.title)")
            #expect(stepped.judgements.map(\.verdict) == usual.judgements.map(\.verdict), "\(scenario.title)")
        }
    }

    @Test("A run is held exactly at an event's offset, before anything else at that instant")
    func offset() throws {
        let scenario = try Self.ordinary()
        var moments: [HeldRunSnapshot] = []
        let run = SimulatedWorld.play(try Self.plan(scenario, heldAt: "client.started + 40ms"), capturing: false) {
            false
        } onHold: { moment in
            moments.append(moment)
            return .release
        }.result
        let started = try #require(run.recording.events.first { $0.name == "client.started" })
        #expect(moments.count == 1)
        #expect(moments.first?.recording.end == started.time + .milliseconds(40))
        #expect(moments.first?.cause?.name == "client.started")
    }

    @Test("A held run emits no outputs, ignores deadlines and keeps its inputs", arguments: [0, 1, 2, 3, 5, 8, 13])
    func nothingMoves(_ before: Int) throws {
        let scenario = try Self.ordinary()
        var run = ScenarioRun(RunPlan(scenario))
        _ = run.handle(.ready, at: .zero)
        for _ in 0..<before {
            guard let deadline = run.nextDeadline else { break }
            _ = run.handle(.wake, at: deadline)
        }
        let now = run.nextDeadline ?? .zero
        _ = run.handle(.conducted(.order(1, .hold)), at: now)
        #expect(run.isHeld)
        #expect(run.nextDeadline == nil)
        let seen = run.moment(at: now).recording.events
        // No input of any kind has an effect while the run is held.
        #expect(run.handle(.wake, at: now + .seconds(3600)).isEmpty)
        #expect(run.handle(.relay(.accepted(.init(.only, 99))), at: now).isEmpty)
        #expect(run.moment(at: now).recording.events == seen)
        _ = run.handle(.conducted(.order(2, .release)), at: now)
        #expect(!run.isHeld)
        let after = run.moment(at: now).recording.events
        #expect(after.contains { $0.name == "run.hold_ended" && $0.time == now })
        #expect(after.contains { $0.name == "network.accepted" })
    }

    @Test("A command that would have no effect on a held run is refused")
    func refusals() throws {
        let scenario = try #require(try Self.cases(every: 1).first)
        var run = ScenarioRun(RunPlan(scenario))
        _ = run.handle(.ready, at: .zero)
        func isRefused(_ order: HoldOrder) -> Bool {
            run.handle(.conducted(.order(1, order)), at: .zero).contains { output in
                if case .conducted(.refused) = output { true } else { false }
            }
        }
        #expect(isRefused(.release))
        #expect(isRefused(.step))
        #expect(!isRefused(.hold))
        #expect(isRefused(.hold))
        #expect(!isRefused(.release))
    }

    @Test("A live run excludes the real time spent on hold and reaches the same verdict")
    func live() async throws {
        let path = "\(Self.scenarios)/connection/ordinary-path.yaml"
        var options = SuiteOptions()
        options.worlds = [.live]
        options.hold = HoldPlan(event: "client.connected") { _ in
            usleep(300_000)
            return .release
        }
        let result = try await Suite.play(Suite.load(SuiteSelection(paths: [path])), options)
        let run = try #require(result.cases.first?.runs.first)
        #expect(run.verdict == .pass)
        let began = try #require(run.recording.events.first { $0.name == "run.hold_began" })
        let ended = try #require(run.recording.events.first { $0.name == "run.hold_ended" })
        #expect(ended.index == began.index + 1)
        #expect(ended.time == began.time)
        #expect(run.wall >= .milliseconds(300))
    }

    @Test("A live run that is ended while on hold is inconclusive", arguments: [World.sim, .live])
    func ended(_ world: World) async throws {
        let path = "\(Self.scenarios)/connection/ordinary-path.yaml"
        var options = SuiteOptions()
        options.worlds = [world]
        options.hold = HoldPlan(event: "client.connected") { _ in nil }
        let result = try await Suite.play(Suite.load(SuiteSelection(paths: [path])), options)
        #expect(result.cases.first?.runs.first?.verdict == .inconclusive)
        #expect(result.cases.first?.runs.first?.recording.ending.isInterrupted == true)
    }
}
