import ScenarioModel

/// The verdict on a case or on one of its parts.
public enum ScenarioVerdict: String, Hashable, Sendable, CaseIterable {
    case pass
    case fail
    /// Nothing failed and nothing was proven: what was to be judged did not happen, or the machine was too busy. Never
    /// a pass.
    case inconclusive
    /// The client cannot show it, or this system cannot play it.
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
