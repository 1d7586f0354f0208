import FakeServer
import SquallCore
import TemporalLogic
import Trace

// Runs whose upstream server is unreachable. The results of such a run say nothing about the client.

extension CaseResult {
    /// Returns a result that makes a failed run inconclusive, because the run never reached its upstream server.
    ///
    /// Returns nil if a connection succeeded, if none was attempted, or if a failed expectation concerns the failed
    /// connection itself.
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
        let what =
            failed.count == 1 ? "the only connection to it failed" : "all \(failed.count) connections to it failed"
        return ExpectationResult(
            location: SourceLocation(file: plan.scenario.file, line: 1, column: 1),
            word: "upstream",
            covers: [],
            verdict: .inconclusive,
            why:
                """
                \(plan.scenario.profile.server.upstream) was never reached: \(what), the first at \(first.time) \
                (\(failure))
                """,
            evidence: failed.suffix(1).map(\.index)
        )
    }
}
