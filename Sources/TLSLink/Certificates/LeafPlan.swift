import Faults

/// The names, validity period and signer of a server certificate of a given kind.
struct LeafPlan: Hashable {
    enum Signer: Hashable {
        /// The authority that clients trust.
        case authority
        /// An authority that no client trusts.
        case unknownAuthority
        /// The certificate's own key, so that the certificate is self-signed.
        case itself
    }

    /// The host names and addresses in the certificate.
    var names: [String]
    /// The first and last second of the validity period, in seconds since 1970.
    var validity: ClosedRange<Int64>
    var signer: Signer

    static let day: Int64 = 86_400
    /// The validity period of a certificate in seconds, within the limits set by Apple's systems (825 days) and by
    /// browsers (398 days).
    private static let lifetime = 397 * day
    /// A host name that no server can have, because the domain is reserved (RFC 6761 section 6.4).
    static let otherHost = "wrong-host.invalid"

    init(_ kind: CertificateKind, for names: [String], at now: Int64) {
        self.names = names
        signer = .authority
        validity = now - Self.day...now + Self.lifetime
        switch kind {
        case .valid: break
        case .expired: validity = now - 30 * Self.day...now - Self.day
        case .notYetValid: validity = now + Self.day...now + Self.lifetime
        case .wrongHost: self.names = [Self.otherHost]
        case .selfSigned: signer = .itself
        case .untrusted: signer = .unknownAuthority
        case .portal: self.names = [Fault.CaptivePortal.host]
        }
    }
}
