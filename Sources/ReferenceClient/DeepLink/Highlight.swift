import SquallCore

/// The temporary highlight of the message that was opened from a tapped notification.
struct Highlight {
    private let rules: Rules
    /// The key of the highlighted message; nil if no message is highlighted.
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
        let policy = rules.policy.deepLink.highlight
        guard policy != .none else { return }
        target = message
        until = policy == .staysOn ? nil : step.now + rules.profile.screen.highlight
        step.changes.insert(.phone)
    }

    mutating func clear(_ step: inout Step) {
        target = nil
        until = nil
        step.changes.insert(.phone)
    }

    static let registry: [RegistryEntry] = [
        .observable("highlight.target", .text, "The message that is briefly highlighted; null if there is none.")
    ]
}
