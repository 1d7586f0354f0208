import Faults
package import TLSLink

/// TLS at a port of Squall's own on loopback: clients have to trust its authority.
package struct ListenerSecurity: Sendable {
    private let authority: any TLSAuthority
    /// The path of its certificate, in PEM, for the command that is judged.
    let certificate: String
    private let onTrouble: @Sendable (String) -> Void

    /// What clients on this machine may call it.
    private static let hosts = ["127.0.0.1", "localhost", "::1"]

    /// `certificate`: the path of the authority's, which is there already. `onTrouble`: why a client's handshake came to
    /// nothing.
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
