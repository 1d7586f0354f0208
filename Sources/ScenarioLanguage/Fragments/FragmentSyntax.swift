/// The wording of error messages in a run that is controlled by a program or from a prompt.
package struct FragmentSyntax: Sendable {
    /// The name shown in error messages in place of a file path.
    package var source: String
    /// The error texts for a `wait` or `at:` outside a script: `owner` completes the error message with the reason, and
    /// `help` says what to use instead.
    package var waiting: (owner: String, help: String)
    /// The help text that explains how to enable TLS.
    package var security: String
    /// Returns the help text for a user action on the client (`verb`). Only the controlling
    /// program or user can perform such an action; the text says why and how.
    package var ownClient: @Sendable (_ verb: String) -> String

    package init(
        source: String,
        waiting: (owner: String, help: String),
        security: String,
        ownClient: @escaping @Sendable (String) -> String
    ) {
        self.source = source
        self.waiting = waiting
        self.security = security
        self.ownClient = ownClient
    }
}
