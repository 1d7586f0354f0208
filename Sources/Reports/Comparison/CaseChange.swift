/// How the results of a case differ between two plays of a suite, in the order in which reports list them.
package enum CaseChange: String, Hashable, Sendable, CaseIterable {
    /// It fails now and did not fail before, or is new and fails.
    case newlyFailing = "newly_failing"
    case newlyInconclusive = "newly_inconclusive"
    case newlyFlaky = "newly_flaky"
    case stillFailing = "still_failing"
    case stillInconclusive = "still_inconclusive"
    case stillFlaky = "still_flaky"
    /// It passes now, and failed, was inconclusive or was flaky before.
    case newlyPassing = "newly_passing"
    /// Any other change of the verdict, such as from pass to skipped.
    case otherVerdict = "other_verdict"
    case added
    case removed
    /// It is missing because the new suite was stopped early.
    case notPlayed = "not_played"
    /// It passes in both suites, and takes longer; see ``Slowdown``.
    case slower
    /// It has the same verdict in both, but a run in virtual time with the same seed has a different trace.
    case otherTrace = "other_trace"
    case unchanged

    /// The change as reports write it.
    package var words: String {
        switch self {
        case .otherTrace: "same verdict, other trace"
        case .otherVerdict: "another verdict"
        default: rawValue.split(separator: "_").joined(separator: " ")
        }
    }
}
