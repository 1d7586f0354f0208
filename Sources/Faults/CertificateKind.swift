/// What a TLS server shows for a certificate: a good one, or one that a client must refuse (RFC 5280 section 6, RFC 9525).
package enum CertificateKind: String, Hashable, Sendable, CaseIterable {
    /// Names the host, within its time, signed by the authority that clients trust.
    case valid
    case expired
    case notYetValid = "not_yet_valid"
    /// Good in every way, and another host's.
    case wrongHost = "wrong_host"
    /// Signed by its own key alone.
    case selfSigned = "self_signed"
    /// Signed by an authority that nobody trusts.
    case untrusted
    /// A captive portal's: good in every way, and the portal's host's.
    case portal

    /// Whether a client that checks certificates goes on.
    package var isAcceptable: Bool { self == .valid }
}
