import Faults
import ScenarioModel
import SquallCore
import TLSLink

/// The TLS state of one run, usually with its own certificate authority, which only the run's clients trust.
final class LiveSecurity {
    private let authority: any TLSAuthority
    private let host: String
    /// The names and addresses that the relay's certificates contain.
    private let names: [String]
    /// The TLS secrets of the clients' connections; nil if no packets are captured.
    let keys: KeyLog?
    /// Whether clients connect with TLS.
    let isOfClients: Bool
    private let upstreamTrust: TLSTrust
    /// The handshake outcome that the relay last requested for each client. A client without an entry is offered a
    /// valid certificate.
    var handshakes: [ClientID: Handshake] = [:]

    /// The authority's certificate in PEM format, for libcurl and foreign clients; nil if clients connect without TLS.
    var clientAuthority: String? { isOfClients ? authority.pem : nil }

    /// Creates the certificate authority unless `identity` provides one.
    ///
    /// - Parameters:
    ///   - host: The name or address at which clients connect. The relay's certificates contain it unless `identity`
    ///     specifies others.
    ///   - keepsKeys: Whether the TLS secrets of the clients' connections are kept; only for an authority created here.
    /// - Throws: ``LiveError/security(_:)`` if the authority cannot be created or the upstream's authority cannot be
    ///   read.
    init(
        _ wanted: LinkSecurity,
        host: String,
        as identity: TLSIdentity? = nil,
        keepingKeys keepsKeys: Bool = false
    ) throws(LiveError) {
        self.host = host
        names = identity?.names ?? [host]
        let keys = keepsKeys ? KeyLog() : nil
        self.keys = keys
        isOfClients = wanted.ofClients
        do {
            if let identity {
                authority = identity.authority
            } else {
                authority = try TLS.makeAuthority(at: TLS.now, keyLog: keys?.add)
            }
        } catch {
            throw .security(error)
        }
        guard let path = wanted.upstreamAuthority else {
            upstreamTrust = .system
            return
        }
        guard let pem = TextFile.contents(of: path) else {
            throw .security(.file(path: path, reason: TextFile.lastError))
        }
        upstreamTrust = .certificates(pem)
        do throws(TLSError) {
            // The upstream's authority is validated now, because the first connection may come much later.
            _ = try TLS.client(of: host, trusting: upstreamTrust)
        } catch {
            guard case .invalidInput(let reason) = error else { throw .security(error) }
            // A certificate in DER format is recognised by its first byte, the tag of a sequence (X.690 section 8.9).
            let way = pem.first == 0x30 ? ": convert it with openssl x509 -inform der -in FILE -out ca.pem" : ""
            throw .security(.file(path: path, reason: reason + way))
        }
    }

    /// Returns whether `caller` connects with TLS.
    func isOf(_ caller: Caller) -> Bool { isOfClients && caller.process != nil }

    /// Creates the relay's end of a TLS session with a client, presenting a certificate of the given kind.
    func server(showing kind: CertificateKind) throws(TLSError) -> any TLSSession {
        try authority.session(as: names, showing: kind, at: TLS.now)
    }

    /// Creates the reference client's end of a TLS session with the relay.
    func client() throws(TLSError) -> any TLSSession {
        try TLS.client(of: host, trusting: .authority(authority))
    }

    /// Creates the relay's end of a TLS session with the external server at host `upstream`.
    func client(of upstream: String) throws(TLSError) -> any TLSSession {
        try TLS.client(of: upstream, trusting: upstreamTrust)
    }
}
