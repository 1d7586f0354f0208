/// How a case's results changed between two runs of a suite. Reports list the changes in declaration order.
package enum CaseChange: String, Hashable, Sendable, CaseIterable {
    /// The case fails now and did not fail before, or it is new and fails.
    case newlyFailing = "newly_failing"
    case newlyInconclusive = "newly_inconclusive"
    case newlyFlaky = "newly_flaky"
    case stillFailing = "still_failing"
    case stillInconclusive = "still_inconclusive"
    case stillFlaky = "still_flaky"
    /// The case passes now; before, it failed, was inconclusive or was flaky.
    case newlyPassing = "newly_passing"
    /// The verdict changed in another way, such as from pass to skipped.
    case otherVerdict = "other_verdict"
    case added
    case removed
    /// The case is missing because the new suite was stopped early.
    case notPlayed = "not_played"
    /// The case passes in both suites but takes longer in the new one; see ``Slowdown``.
    case slower
    /// The case has the same verdict in both suites, but a run in virtual time with the same seed has a different
    /// trace.
    case otherTrace = "other_trace"
    case unchanged

    /// The name of the change in reports.
    package var words: String {
        switch self {
        case .otherTrace: "same verdict, other trace"
        case .otherVerdict: "another verdict"
        default: rawValue.split(separator: "_").joined(separator: " ")
        }
    }
}
