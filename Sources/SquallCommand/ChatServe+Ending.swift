import ScenarioModel
import Squall
import SquallCore
import TemporalLogic
import Trace

extension ChatServe {
    /// Lets a held run go on when the input ends, because no line can release it any more.
    func inputEnded(_ weather: ConductedRun) async {
        guard (try? await weather.perform(.release)) != nil else { return }
        answer("standard input has ended: the run continues")
    }

    /// Returns the message about the standing invariants that is printed at the end of a run.
    static func verdict(
        on result: CaseResult,
        _ broken: [ExpectationResult],
        _ invariants: [(name: InvariantName, verdict: Verdict)]
    ) -> String {
        guard broken.isEmpty else {
            return broken.map { "FAIL  \($0.heading): \($0.why ?? "")" }.joined(separator: "\n")
        }
        let held = invariants.count { $0.verdict.outcome == .pass }
        let hasCome = result.recording.events.contains {
            $0.name == "client.attempt.began" || $0.name.hasPrefix("client.requested.")
        }
        guard held > 0, hasCome else {
            return "nothing to judge: "
                + (hasCome ? "the app did nothing that an invariant applies to" : "no app has connected")
        }
        return "PASS  \(held) invariant\(held == 1 ? "" : "s") held, \(invariants.count - held) had nothing to judge"
    }
}
