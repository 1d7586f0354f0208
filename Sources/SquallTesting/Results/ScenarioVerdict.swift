import ScenarioModel

/// The verdict on a case or on one of its parts.
public enum ScenarioVerdict: String, Hashable, Sendable, CaseIterable {
    case pass
    case fail
    /// Nothing failed, and nothing was proven: what was to be judged never came about, or the machine was too busy. Never a pass.
    case inconclusive
    /// The client cannot show it, or it cannot be played here.
    case skipped

    init(_ verdict: CaseVerdict) {
        self =
            switch verdict {
            case .pass: .pass
            // There are no lists of known failures here: a test framework has its own.
            case .fail, .knownFailure: .fail
            case .inconclusive: .inconclusive
            case .skipped: .skipped
            }
    }
}
