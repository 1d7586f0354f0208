import Faults
package import TLSLink

/// The TLS settings of a listener on loopback; clients must trust its certificate authority.
package struct ListenerSecurity: Sendable {
    private let authority: any TLSAuthority
    /// The path of the CA certificate in PEM, for the client under test.
    let certificate: String
    private let onTrouble: @Sendable (String) -> Void

    /// The host names for which certificates are issued: the names that clients on this machine use.
    private static let hosts = ["127.0.0.1", "localhost", "::1"]

    /// Creates the settings. `certificate` is the path of the CA certificate, which must exist. `onTrouble` is called
    /// with the reason when a client's handshake fails.
    package init(
        _ authority: any TLSAuthority,
        certificate: String,
        onTrouble: @escaping @Sendable (String) -> Void
    ) {
        (self.authority, self.certificate, self.onTrouble) = (authority, certificate, onTrouble)
    }

    func session() throws(TLSError) -> any TLSSession {
        try authority.session(as: Self.hosts, showing: .valid, at: TLS.now)
    }

    func emit(_ trouble: String) { onTrouble(trouble) }
}
