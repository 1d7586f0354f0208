import ScenarioModel

/// The verdict on a case or on one of its parts.
public enum ScenarioVerdict: String, Hashable, Sendable, CaseIterable {
    case pass
    case fail
    /// Nothing failed, but nothing was proven: the expected situation did not occur, or the machine was too busy. This
    /// verdict never counts as a pass.
    case inconclusive
    /// The client does not report the observables or events that are needed, or this system cannot run the scenario.
    case skipped

    init(_ verdict: CaseVerdict) {
        self =
            switch verdict {
            case .pass: .pass
            // A known failure and a flaky case count as failures here, because test frameworks have their own ways to
            // mark known failures and to repeat tests.
            case .fail, .knownFailure, .flaky: .fail
            case .inconclusive: .inconclusive
            case .skipped: .skipped
            }
    }
}
