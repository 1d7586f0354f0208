import SquallCore

extension Fault {
    /// A fault in which the server presents a given kind of certificate to new TLS connections; open connections
    /// continue.
    package struct Certificate: Hashable, Sendable {
        package var certificate: CertificateKind

        package init(_ certificate: CertificateKind) {
            self.certificate = certificate
        }
    }
}

extension Fault.Kind {
    package static func certificate(_ fault: Fault.Certificate) -> Self { Self(fault) }
}

extension Fault.Certificate: LinkFault {
    static let declaration = FaultDeclaration(
        "certificate",
        Self(.valid),
        main: "kind",
        [.word("kind", \.certificate, required: true, "The certificate that is presented.")],
        "New TLS connections are presented with the given certificate; open connections continue."
    )

    /// The fault hides only the client actions that a failed handshake hides; see ``handshake``.
    var hiddenActions: HiddenActions { .nothing }
    static var isAboutHandshakes: Bool { true }
    var handshake: Handshake? { .completes(certificate) }
}
