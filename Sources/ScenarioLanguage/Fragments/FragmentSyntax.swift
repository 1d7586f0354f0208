package import ScenarioModel

/// The wording of error messages for the controller of a run, which is a program or a prompt.
package struct FragmentSyntax: Sendable {
    /// The name shown in error messages in place of a file path.
    package var source: String
    /// The texts for a `wait` or `at:` that is used where only a script may contain one: `owner` completes the error
    /// message with the reason, and `help` says what to use instead.
    package var waiting: (owner: String, help: String)
    /// The help text that explains how to enable TLS.
    package var security: String
    /// Returns the help for an action of the client itself, which only the controller of the run can perform: the
    /// reason, and how to perform it.
    package var ownClient: @Sendable (_ verb: String) -> String
    /// Returns the reason why a stimulus cannot be applied in this run; nil if it can.
    package var refusal: @Sendable (Stimulus) -> String?

    package init(
        source: String,
        waiting: (owner: String, help: String),
        security: String,
        ownClient: @escaping @Sendable (String) -> String,
        refusal: @escaping @Sendable (Stimulus) -> String? = { _ in nil }
    ) {
        self.source = source
        self.waiting = waiting
        self.security = security
        self.ownClient = ownClient
        self.refusal = refusal
    }
}
