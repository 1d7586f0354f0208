import ScenarioModel
import SquallCore

/// The failures in a suite that have the same cause. Failures are grouped because a single defect usually makes many
/// cases fail.
struct CauseGroup {
    /// A case that failed because of the group's cause. Only its first run is reported in full; its runs with other
    /// seeds, and in the other world (simulated or live), are only counted.
    struct Failure {
        var group: CaseGroup
        /// The first run of the case that failed because of the group's cause.
        var run: CaseResult
        /// The number of runs of the case that failed because of the group's cause.
        var count: Int
    }

    /// The invariant that was violated, such as `invariant accepted_never_lost`, or the observation that was wrong,
    /// such as `banner.kind was null`.
    var heading: String
    var failures: [Failure]

    /// The sort key of the cause: first by the severity of the verdict, then by the number of cases.
    private var rank: Int { failures[0].run.verdict.severity << 32 + failures.count }

    var runCount: Int { failures.reduce(0) { $0 + $1.count } }

    /// Groups the runs that have one of the given verdicts by cause. The groups are sorted by verdict, worst first, and
    /// then by their number of cases.
    static func all(of suite: SuiteResult, with verdicts: Set<CaseVerdict> = [.fail, .inconclusive]) -> [CauseGroup] {
        var order: [Key] = []
        var groups: [Key: CauseGroup] = [:]
        for group in suite.groups {
            for run in group.runs where verdicts.contains(run.verdict) {
                guard let key = Key(run) else { continue }
                if groups[key] == nil {
                    order.append(key)
                    groups[key] = CauseGroup(heading: key.claim ?? key.shape, failures: [])
                }
                if let claim = key.claim, groups[key]?.heading != claim { groups[key]?.heading = key.shape }
                let last = (groups[key]?.failures.count ?? 0) - 1
                if last >= 0, groups[key]?.failures[last].run.key == run.key {
                    groups[key]?.failures[last].count += 1
                } else {
                    groups[key]?.failures.append(Failure(group: group, run: run, count: 1))
                }
            }
        }
        return order.compactMap { groups[$0] }.enumerated()
            .sorted { ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset) }
            .map(\.element)
    }

    /// The invariant or claim that all failures with the same cause share.
    ///
    /// The claim is taken from the message, so that failures share a cause no matter which operator of the scenario
    /// language detected them.
    struct Key: Hashable {
        var verdict: CaseVerdict
        /// The heading of the cause: `invariant accepted_never_lost`, or `banner.kind was null`.
        var shape: String
        /// The claim including its numbers, such as `outbox.count was 3`; nil for an invariant.
        var claim: String?

        /// Creates the key for a run's cause; returns nil if the run has none, for example because it passed.
        init?(_ run: CaseResult) {
            guard let cause = run.cause else { return nil }
            verdict = run.verdict
            shape = cause.heading
            guard !cause.isInvariant, let why = cause.why else { return }
            let claim = Self.claim(of: why)
            self.claim = claim
            shape = Self.shape(of: claim)
        }

        static func == (one: Self, other: Self) -> Bool { one.verdict == other.verdict && one.shape == other.shape }

        func hash(into hasher: inout Hasher) {
            hasher.combine(verdict)
            hasher.combine(shape)
        }

        /// Returns the first clause of the message, with the times removed.
        ///
        /// For example, returns `banner.kind was null` for `banner.kind was null from 0.001 to 1.001; expected …`.
        private static func claim(of why: String) -> String {
            let clause = why.prefix(upTo: why.firstRange(of: /;\ |\n/)?.lowerBound ?? why.endIndex)
            let time = clause.firstRange(of: /\ (from|at|within|by)\ [0-9]/)?.lowerBound
            let claim = String(clause.prefix(upTo: time ?? clause.endIndex))
            return claim.replacing(/^[^\ ]+\ (?:with|was|went|happened|never|did)\b/) { subject in
                subject.output.replacing(/\[[^\]]*\]|#[0-9]+/, with: "")
            }
        }

        /// Replaces the numbers and strings of a claim with ellipses, as in `outbox.count was …`.
        private static func shape(of claim: String) -> String {
            claim.replacing(/happened\ (once|[0-9]+\ times)/, with: "happened a wrong number of times")
                .replacing(/"[^"]*"/, with: "…")
                .replacing(/[0-9][0-9.]*/, with: "…")
        }
    }
}
