import FakeServer
import SquallCore
import TemporalLogic
import Trace

/// Somebody else's server that is not there: what a client does then says nothing of it.
extension CaseResult {
    /// What is told of a failed run in which no call to the upstream ever came through; nil where one did, or none was made, or
    /// where that very failure is what should not have been.
    static func unreached(
        _ recording: Recording,
        of plan: RunPlan,
        _ expectations: [ExpectationResult]
    ) -> ExpectationResult? {
        guard plan.upstream != nil else { return nil }
        let failed = recording.events.filter { $0.name == "network.upstream.failed" }
        guard let first = failed.first, !recording.events.contains(where: { $0.name == "server.accepted" }) else {
            return nil
        }
        let calls = Set(failed.map(\.index))
        guard !expectations.contains(where: { $0.verdict == .fail && !calls.isDisjoint(with: $0.evidence) }) else {
            return nil
        }
        let failure = first.fields?["failure"]?.stringValue ?? "failed"
        let what = failed.count == 1 ? "the one call to it failed" : "all \(failed.count) calls to it failed"
        return ExpectationResult(
            location: SourceLocation(file: plan.scenario.file, line: 1, column: 1),
            word: "upstream",
            covers: [],
            verdict: .inconclusive,
            why:
                "\(plan.scenario.profile.server.upstream) was never reached: \(what), the first at \(first.time) (\(failure))",
            evidence: failed.suffix(1).map(\.index)
        )
    }
}
