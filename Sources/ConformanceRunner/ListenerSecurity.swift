import Faults
package import TLSLink

/// TLS for a listener of Squall on loopback, whose authority clients must trust.
package struct ListenerSecurity: Sendable {
    private let authority: any TLSAuthority
    /// The path of the authority's certificate in PEM, for the client that is judged.
    let certificate: String
    private let onTrouble: @Sendable (String) -> Void

    /// The host names that clients on this machine may use.
    private static let hosts = ["127.0.0.1", "localhost", "::1"]

    /// `certificate` is the path of the authority's certificate, which must exist. `onTrouble` is called with the
    /// reason when a client's handshake fails.
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
