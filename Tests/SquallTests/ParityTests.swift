import Foundation
import Live
import NIOCore
import NIOPosix
import ReferenceClient
import ScenarioModel
import Simulation
import SquallCore
import TestSupport
import Testing
import Trace

@testable import Squall

/// Tests that the parity check can fail: it must detect a deliberately faulty live driver.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct ParityTests {
    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    private func plan() throws -> RunPlan {
        let path = "\(Self.package)/Scenarios/sending/dropped-between-send-and-confirm.yaml"
        return RunPlan(try #require(try Suite.load(SuiteSelection(paths: [path])).first))
    }

    /// Runs a case in both worlds, with a faulty driver in the live one, and returns the parity verdict.
    private func verdict(_ wrong: WrongDriver.Operation) async throws -> WorldComparison? {
        let plan = try plan()
        var livePlan = plan
        livePlan.clock = .leaping
        livePlan.tolerance = .live
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let driven = WrongDriver(run: ScenarioRun(livePlan), operation: wrong)
        let live = try await LiveWorld.play(driven, on: group.next())
        try await group.shutdownGracefully()
        let runs = [
            CaseResult(SimulatedWorld.play(plan), of: plan, world: .sim, wall: .zero),
            CaseResult(live, of: livePlan, world: .live, wall: .zero),
        ]
        return ParityCheck.verdict(on: runs, of: plan)
    }

    /// Loopback connections are faster than simulated ones, so two events less than a millisecond apart may occur in
    /// the opposite order.
    @Test("Twenty simultaneous clients behave the same in sim and live", arguments: [4, 6] as [UInt64])
    func manyClients(seed: UInt64) async throws {
        let path = "\(Self.package)/Scenarios/sending/a-hundred-through-a-flapping-network.yaml"
        var options = SuiteOptions()
        options.seed = Seed(seed)
        let suite = try await Suite.play(Suite.load(SuiteSelection(paths: [path])), options)
        let parity = try #require(suite.cases.first?.parity)
        if case .differs(let text) = parity { Issue.record("\(text)") }
    }

    @Test("With a correct live driver the two worlds give equal traces")
    func aRightDriverShowsTheSame() async throws {
        #expect(try await verdict(.nothing) == .equal)
    }

    /// Compares a simulated run with a modified copy of itself, which stands in for the live run.
    private func verdict(changing change: (inout CaseResult) -> Void) throws -> WorldComparison? {
        let plan = try plan()
        let sim = CaseResult(SimulatedWorld.play(plan), of: plan, world: .sim, wall: .zero)
        var live = sim
        live.world = .live
        change(&live)
        return ParityCheck.verdict(on: [sim, live], of: plan)
    }

    private func part(_ word: String, _ verdict: CaseVerdict, of run: CaseResult) -> ExpectationResult {
        var part = run.expectations[0]
        part.word = word
        part.verdict = verdict
        return part
    }

    @Test("An expectation that passes in one world and is inconclusive in the other is a difference")
    func inconclusiveForAReasonOfItsOwn() throws {
        let unevaluated = try verdict { live in
            live.verdict = .inconclusive
            live.expectations[0].verdict = .inconclusive
        }
        guard case .differs(let text)? = unevaluated else {
            Issue.record("\(String(describing: unevaluated))")
            return
        }
        #expect(text.hasSuffix("is pass in sim and inconclusive in live"))
    }

    @Test("A fault that has no effect in only one world is a difference")
    func metNothing() throws {
        let metNothing = try verdict { live in
            live.verdict = .inconclusive
            live.expectations.insert(part("network", .inconclusive, of: live), at: 0)
        }
        guard case .differs(let text)? = metNothing else {
            Issue.record("\(String(describing: metNothing))")
            return
        }
        #expect(text.hasSuffix("network is not reported in sim and inconclusive in live"))
    }

    @Test("An invariant broken in only one world is a difference")
    func brokenInvariant() throws {
        let verdict = try verdict { live in
            live.verdict = .fail
            live.expectations.append(part("invariant honest_ui", .fail, of: live))
        }
        guard case .differs(let text)? = verdict else {
            Issue.record("\(String(describing: verdict))")
            return
        }
        #expect(text.hasSuffix("invariant honest_ui is not reported in sim and fail in live"))
    }

    @Test(
        "A run that was stopped, or was too slow to be judged, is not compared with the other world",
        arguments: ["run", "lateness", "upstream"]
    )
    func inconclusiveFromOutside(word: String) throws {
        let verdict = try verdict { live in
            live.verdict = .inconclusive
            live.expectations.insert(part(word, .inconclusive, of: live), at: 0)
        }
        #expect(verdict == nil)
    }

    @Test(
        "With a faulty live driver the two worlds differ",
        arguments: [WrongDriver.Operation.swapsFrames, .swallowsFin, .losesAnAnswer]
    )
    func aWrongDriverIsFoundOut(_ operation: WrongDriver.Operation) async throws {
        let verdict = try await verdict(operation)
        guard case .differs? = verdict else {
            Issue.record("\(operation): \(String(describing: verdict))")
            return
        }
    }
}

/// A driver with at most one fault, placed between the live world and a run.
struct WrongDriver: DrivenRun {
    enum Operation: Sendable {
        case nothing
        /// The bytes that the server writes in one step reach the client in reverse order.
        case swapsFrames
        /// The client is never notified that its connection has ended.
        case swallowsFin
        /// The response to a request never arrives.
        case losesAnAnswer
    }

    var run: ScenarioRun
    let operation: Operation
    private var kept: TransportInput?

    init(run: ScenarioRun, operation: Operation) {
        self.run = run
        self.operation = operation
    }

    var clients: [ClientID] { run.clients }
    var nextDeadline: Instant? { run.nextDeadline }
    var isOver: Bool { run.isOver }

    mutating func handle(_ input: TransportInput, at now: Instant) -> [TransportOutput] {
        switch (operation, input) {
        case (.swapsFrames, .client(_, .received(_, _))) where kept == nil:
            kept = input
            return run.handle(.wake, at: now)
        case (.swapsFrames, .client(_, .received(_, _))):
            defer { kept = nil }
            return run.handle(input, at: now) + (kept.map { run.handle($0, at: now) } ?? [])
        case (.swallowsFin, .client(_, .ended(_, _))):
            return run.handle(.wake, at: now)
        case (.losesAnAnswer, .client(_, .response(_, _))):
            return run.handle(.wake, at: now)
        default:
            return run.handle(input, at: now)
        }
    }

    mutating func noteLateness(_ late: TimeSpan) { run.noteLateness(late) }
    mutating func abandon(_ reason: String, at now: Instant) { run.abandon(reason, at: now) }
    mutating func finish(at now: Instant) -> RunResult { run.finish(at: now) }
}
