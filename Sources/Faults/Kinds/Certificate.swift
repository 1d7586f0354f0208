import SquallCore

extension Fault {
    /// New connections of a link with TLS are shown this certificate; those that are there go on.
    package struct Certificate: Hashable, Sendable {
        package var certificate: CertificateKind

        package init(_ certificate: CertificateKind) {
            self.certificate = certificate
        }
    }
}

extension Fault.Certificate: LinkFault {
    static let action = ActionEntry.fault(
        "certificate",
        main: "kind",
        [Parameter("kind", .words(CertificateKind.self), required: true, "What is shown.")],
        "New connections are shown this certificate, on a link with TLS; those that are there go on."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        certificate = try arguments.word("kind", default: .valid)
    }

    var kind: Fault.Kind { .certificate(self) }
    /// Nothing but what its handshake does.
    var hides: ClientVisibility { .nothing }
    var handshake: Handshake? { .completes(certificate) }
}
