package import ScenarioModel

/// How whoever conducts a run from outside is spoken to: by what they have at hand, be it a program or a prompt.
package struct FragmentSyntax: Sendable {
    /// What stands where a scenario has its file's name.
    package var source: String
    /// Who does the waiting in a script's place, and how.
    package var waiting: (whose: String, help: String)
    /// How links come to have TLS.
    package var security: String
    /// Why the client is theirs, and where it does what a script would have it do.
    package var ownClient: @Sendable (_ verb: String) -> String
    /// Why something cannot be done here for want of such links; nil where it can.
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
