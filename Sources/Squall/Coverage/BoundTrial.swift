import ScenarioModel
import Simulation
import SquallCore
import TemporalLogic
import Trace

/// Determines whether the verdict on an expectation depends on its bound.
///
/// If a correct client always stays far below a bound and a faulty client never comes near it, the bound proves nothing
/// about the duration that it states: other durations would give the same verdicts.
struct BoundTrial {
    private let expectation: Expectation

    init(_ expectation: Expectation) {
        self.expectation = expectation
    }

    /// Returns whether the expectation, which passes on the recording, would fail if its bound were a fifth shorter or
    /// a quarter longer.
    func isTight(on recording: Recording) -> Bool {
        guard let bound = expectation.bound else { return false }
        return [bound.scaled(by: 4, over: 5), bound.scaled(by: 5, over: 4)].contains { other in
            var changed = expectation
            changed.bound = other
            return Prover(changed).outcome(on: recording) == .fail
        }
    }

    /// Returns whether the expectation at this index, which fails in the planned run, would pass if its bound were ten
    /// times as long or a tenth as long.
    ///
    /// The run is repeated, because the run that failed may have ended before the late event.
    static func isMissed(of index: Int, in plan: RunPlan) -> Bool {
        guard let bound = plan.scenario.expectations[index].bound else { return false }
        return [bound * 10, bound.scaled(by: 1, over: 10)].contains { other in
            var changed = plan
            changed.scenario.expectations[index].bound = other
            let result = CaseResult(SimulatedWorld.play(changed), of: changed, world: .sim, wall: .zero)
            let location = plan.scenario.expectations[index].location
            return result.expectations.contains { $0.location == location && $0.verdict == .pass }
        }
    }
}

extension TimeSpan {
    /// Returns the span multiplied by a fraction and rounded down; saturates at the end of the range.
    fileprivate func scaled(by numerator: Int64, over denominator: Int64) -> TimeSpan {
        TimeSpan(nanoseconds: (self * numerator).nanoseconds / denominator)
    }
}
