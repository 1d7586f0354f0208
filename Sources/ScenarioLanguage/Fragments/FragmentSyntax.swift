package import ScenarioModel

/// The wording of messages to the controller of a run, which is a program or a prompt.
package struct FragmentSyntax: Sendable {
    /// The name that messages show in place of a file's path.
    package var source: String
    /// The replacement for a script's waits: how messages describe it, and the help for it.
    package var waiting: (whose: String, help: String)
    /// The help on how to enable TLS.
    package var security: String
    /// The reason why an action of the client has to be performed by the controller, and how.
    package var ownClient: @Sendable (_ verb: String) -> String
    /// The reason why a stimulus cannot be applied to the links of this run; nil when it can.
    package var refusal: @Sendable (Stimulus) -> String?

    package init(
        source: String,
        waiting: (whose: String, help: String),
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
