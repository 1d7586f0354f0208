import ScenarioModel

/// The verdict on a case or on one of its parts.
public enum ScenarioVerdict: String, Hashable, Sendable, CaseIterable {
    case pass
    case fail
    /// Nothing failed, but nothing was proven: what was to be judged did not happen, or the machine was too busy. This
    /// never counts as a pass.
    case inconclusive
    /// The client does not report what is judged, or this system cannot run the scenario.
    case skipped

    init(_ verdict: CaseVerdict) {
        self =
            switch verdict {
            case .pass: .pass
            // SquallTesting has no known failures and no retries: test frameworks have their own.
            case .fail, .knownFailure, .flaky: .fail
            case .inconclusive: .inconclusive
            case .skipped: .skipped
            }
    }
}
