/// How the handshake of a new connection goes, where its link has TLS.
package enum Handshake: Hashable, Sendable {
    /// To its end, as far as the client goes along with this certificate.
    case completes(CertificateKind)
    /// Answered by an alert and ended.
    case fails
    /// Never answered.
    case stalls

    /// What it is told as, where it fails.
    package var name: String {
        switch self {
        case .completes(let kind): kind.rawValue
        case .fails: "refused"
        case .stalls: "stalled"
        }
    }

    /// Of several that are wanted, what is worst for the client, and the later of two that are as bad.
    static func worst(_ wanted: some Sequence<Handshake>) -> Handshake {
        wanted.reduce(.completes(.valid)) { $1.severity >= $0.severity ? $1 : $0 }
    }

    private var severity: Int {
        switch self {
        case .completes(.valid): 0
        case .completes: 1
        case .fails: 2
        case .stalls: 3
        }
    }

    /// What a TLS server says that will not talk: a fatal `handshake_failure` (RFC 8446 sections 5.1 and 6.2).
    package static let alert: [UInt8] = [21, 3, 3, 0, 2, 2, 40]
}
