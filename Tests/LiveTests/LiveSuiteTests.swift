import ChatWire
import Faults
import ReferenceClient
import ScenarioModel
import SquallCore
import Synchronization
import TestSupport
import Testing

@testable import Live

@Suite(.ownThread, .timeLimit(.minutes(20)))
struct LiveSuiteTests {
    private func run(_ index: Int) -> ScriptedRun {
        ScriptedRun(
            // Runs with a lower index take longer, so the runs do not finish in the order in which they started.
            until: .seconds(1000),
            script: (0..<(60 - index * 2)).map { step in
                (.seconds(Int64(step) * 10), [.client(.connect(ConnectionID(.only, step)))])
            },
            reaction: { input, _ in
                switch input {
                case .client(_, .opened(let id)): [.client(.write(id, bytes("run \(index)")))]
                case .client(_, .received(let id, _)): [.client(.end(id, .fin))]
                default: []
                }
            }
        )
    }

    @Test("The results of twenty concurrent runs are delivered in the order of the suite")
    func twentyRunsSideBySideAreDeliveredInOrder() async throws {
        var delivered: [Int] = []
        try await LiveSuite(jobs: 4).play((0..<20).map(run)) { index, outcome in
            delivered.append(index)
            let outcome = try outcome.get()
            #expect(outcome.texts(about: "client received").count == 60 - index * 2)
            #expect(outcome.texts(about: "client received").allSatisfy { $0.hasSuffix("run \(index)") })
            #expect(outcome.abandoned == nil)
        }
        #expect(delivered == Array(0..<20))
    }

    @Test("A run that cannot be played is reported as failed, and the other runs continue")
    func failedRun() async throws {
        var runs = (0..<3).map(run)
        runs[1].script.append((.seconds(999), [.launch(.only)]))
        var failures: [Int] = []
        let suite = LiveSuite(options: LiveOptions(folder: "/nowhere"), jobs: 2)
        try await suite.play(runs) { index, outcome in
            if case .failure(let error) = outcome {
                #expect(error is LiveError)
                failures.append(index)
            }
        }
        #expect(failures == [1])
    }

    @Test("Cancelling a suite stops its runs") func aSuiteCanBeCancelled() async throws {
        let task = Task {
            try await LiveSuite(options: LiveOptions(pace: .wall), jobs: 2).play(
                (0..<6).map { _ in ScriptedRun(until: .seconds(3600)) }
            ) { _, _ in }
        }
        try await Task.sleep(for: .milliseconds(50))
        let began = ContinuousClock.now
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(ContinuousClock.now - began < .seconds(120))
    }

    @Test("An error thrown by the deliver closure ends the suite") func deliverThrows() async throws {
        struct Enough: Error {}
        await #expect(throws: Enough.self) {
            try await LiveSuite(jobs: 2).play((0..<6).map(run)) { _, _ in throw Enough() }
        }
    }
}
