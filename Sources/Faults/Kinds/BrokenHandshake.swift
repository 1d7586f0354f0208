import SquallCore

extension Fault {
    /// A fault that makes the TLS handshake of new connections fail; open connections continue.
    package struct BrokenHandshake: Hashable, Sendable {
        package enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// The ClientHello is answered with a `handshake_failure` alert, and the connection is closed.
            case fail
            /// The ClientHello is never answered.
            case stall
        }

        package var outcome: Outcome

        package init(_ outcome: Outcome = .fail) {
            self.outcome = outcome
        }
    }
}

extension Fault.Kind {
    package static func brokenHandshake(_ fault: Fault.BrokenHandshake) -> Self { Self(fault) }
}

extension Fault.BrokenHandshake: LinkFault {
    static let declaration = FaultDeclaration(
        "handshake",
        Self(),
        main: "outcome",
        [.word("outcome", \.outcome, "The failure: an alert (fail), or no response (stall).")],
        "The TLS handshake of new connections fails, on a link with TLS; open connections continue."
    )

    /// The fault hides only the client actions that a failed handshake hides; see ``handshake``.
    var hiddenActions: HiddenActions { .nothing }
    static var isAboutHandshakes: Bool { true }
    var handshake: Handshake? { outcome == .fail ? .fails : .stalls }
}
