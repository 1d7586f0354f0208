/// The outcome of the TLS handshake of a new connection, on a link with TLS.
package enum Handshake: Hashable, Sendable {
    /// The server presents this certificate, and completes the handshake if the client accepts it.
    case completes(CertificateKind)
    /// The ClientHello is answered with an alert, and the connection ends.
    case fails
    /// The ClientHello is never answered.
    case stalls

    /// The reason in the event that reports a failed handshake.
    package var name: String {
        switch self {
        case .completes(let kind): kind.rawValue
        case .fails: "refused"
        case .stalls: "stalled"
        }
    }

    /// Returns the handshake that is worst for the client, the last one if several are equally bad.
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

    /// The record of a fatal `handshake_failure` alert (RFC 8446 sections 5.1 and 6.2).
    package static let alert: [UInt8] = [21, 3, 3, 0, 2, 2, 40]
}
