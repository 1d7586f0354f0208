/// The kind of certificate that a TLS server presents: a valid one, or one that a client must reject (RFC 5280 section
/// 6, RFC 9525).
package enum CertificateKind: String, Hashable, Sendable, CaseIterable {
    /// The certificate is for the requested host, within its validity period, and signed by an authority that clients
    /// trust.
    case valid
    case expired
    case notYetValid = "not_yet_valid"
    /// The certificate is valid, but for another host.
    case wrongHost = "wrong_host"
    /// The certificate is self-signed.
    case selfSigned = "self_signed"
    /// The certificate is signed by an authority that clients do not trust.
    case untrusted
    /// The certificate is valid, but only for the host name of a captive portal.
    case portal

    /// Whether a client that verifies certificates accepts this kind of certificate.
    package var isAcceptable: Bool { self == .valid }
}
