/// The outcome of a new connection's TLS handshake with the relay.
package enum Handshake: Hashable, Sendable {
    /// The server presents a certificate of the given kind, and completes the handshake if the client accepts it.
    case completes(CertificateKind)
    /// The ClientHello is answered with an alert, and the connection is closed.
    case fails
    /// The ClientHello is never answered.
    case stalls

    /// The reason given in the event that reports a failed handshake.
    package var name: String {
        switch self {
        case .completes(let kind): kind.rawValue
        case .fails: "refused"
        case .stalls: "stalled"
        }
    }

    /// Returns the worst outcome for the client; if several are equally bad, the last one.
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

    /// The TLS record with a fatal `handshake_failure` alert (RFC 8446 sections 5.1 and 6.2).
    package static let alert: [UInt8] = [21, 3, 3, 0, 2, 2, 40]
}
