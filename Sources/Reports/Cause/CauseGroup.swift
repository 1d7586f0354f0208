import ScenarioModel
import SquallCore

/// Failures of a suite that have the same cause: one defect mostly fails many cases.
struct CauseGroup {
    /// A failing run that is told in full, or a copy of one in another seed or world, which is only counted.
    struct Failure {
        var group: CaseGroup
        /// The first run of the case that failed for this cause.
        var run: CaseResult
        /// How many runs of the case failed for this cause.
        var count: Int
    }

    /// What failed: `invariant accepted_never_lost`, or an expectation's heading.
    var heading: String
    var failures: [Failure]

    /// The order among causes: that of the verdicts, then of the numbers of cases.
    private var rank: Int { failures[0].run.verdict.severity << 32 + failures.count }

    var runCount: Int { failures.reduce(0) { $0 + $1.count } }

    /// The causes of the runs with one of these verdicts; the worst verdict first, and of each the cause of most cases.
    static func all(of suite: SuiteResult, with verdicts: Set<CaseVerdict> = [.fail, .inconclusive]) -> [CauseGroup] {
        var order: [Key] = []
        var groups: [Key: CauseGroup] = [:]
        for group in suite.groups {
            for run in group.runs where verdicts.contains(run.verdict) {
                guard let key = Key(run) else { continue }
                if groups[key] == nil {
                    order.append(key)
                    groups[key] = CauseGroup(heading: key.heading, failures: [])
                }
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

    /// What failures of one cause have in common: the invariant, or the expectation and its message without the numbers
    /// and names of one run.
    struct Key: Hashable {
        var verdict: CaseVerdict
        var heading: String
        var shape: String

        /// Nil for a run without a cause, as one that passed.
        init?(_ run: CaseResult) {
            guard let cause = run.cause else { return nil }
            verdict = run.verdict
            heading = cause.heading
            shape = cause.isInvariant ? "" : Self.shape(of: cause.why ?? "")
        }

        /// A message with its digits as `0`, and its names in brackets and quotation marks left out, as well as the
        /// tolerance of a live run, ` (+50ms tolerance)`.
        private static func shape(of text: String) -> String {
            var shape = ""
            var closing: Character?
            let text = text.replacing(/\ \(\+[^)]* tolerance\)/, with: "")
            for character in text {
                if let mark = closing {
                    if character == mark { closing = nil }
                    continue
                }
                switch character {
                case "[": closing = "]"
                case "\"": closing = "\""
                case "0"..."9", ".":
                    if shape.last != "0" { shape.append("0") }
                default: shape.append(character)
                }
            }
            return shape
        }
    }
}
