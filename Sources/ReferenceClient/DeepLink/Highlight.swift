import SquallCore

/// The message that stands out for a moment, for the user has asked for it.
struct Highlight {
    private let rules: Rules
    /// The message's key.
    private(set) var target: String?
    private var until: Instant?

    init(_ rules: Rules) {
        self.rules = rules
    }

    var deadline: Instant? { until }

    mutating func timer(_ step: inout Step) {
        if let until, until <= step.now { clear(&step) }
    }

    mutating func begin(_ message: String, _ step: inout Step) {
        guard rules.policy.deepLink.highlight == .isShown else { return }
        target = message
        until = step.now + rules.profile.screen.highlight
        step.changes.insert(.phone)
    }

    mutating func clear(_ step: inout Step) {
        target = nil
        until = nil
        step.changes.insert(.phone)
    }

    static let registry: [RegistryEntry] = [
        .observable("highlight.target", .text, "The message that stands out for a moment; null for none.")
    ]
}
