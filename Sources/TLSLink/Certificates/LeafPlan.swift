import Faults

/// What a server's certificate of each kind says, and whose signature it bears.
struct LeafPlan: Hashable {
    enum Signer: Hashable {
        case authority
        /// An authority that no client has heard of.
        case stranger
        case itself
    }

    var names: [String]
    /// In seconds since 1970.
    var validity: ClosedRange<Int64>
    var signer: Signer

    static let day: Int64 = 86_400
    /// No longer than Apple's systems take (825 days), and browsers (398).
    private static let lifetime = 397 * day
    /// A host that is nobody's (RFC 6761 section 6.4).
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
        case .untrusted: signer = .stranger
        case .portal: self.names = [Fault.CaptivePortal.host]
        }
    }
}
