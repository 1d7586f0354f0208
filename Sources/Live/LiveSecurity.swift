import Faults
import ScenarioModel
import SquallCore
import TLSLink

/// The TLS of one run: an authority of its own, which its clients believe and nobody else does.
final class LiveSecurity {
    private let authority: any TLSAuthority
    private let host: String
    /// The secrets of the clients' connections, where packets are captured.
    let keys: KeyLog?
    /// Whether clients come by TLS.
    let isOfClients: Bool
    private let upstreamTrust: TLSTrust
    /// As the relay last told; with a good certificate where it never did.
    var handshakes: [ClientID: Handshake] = [:]

    /// In PEM, for libcurl and for clients of others'; nil where clients come without TLS.
    var clientAuthority: String? { isOfClients ? authority.pem : nil }

    init(_ wanted: LinkSecurity, host: String, keepingKeys: Bool = false) throws(LiveError) {
        self.host = host
        let keys = keepingKeys ? KeyLog() : nil
        self.keys = keys
        isOfClients = wanted.ofClients
        do {
            authority = try TLS.makeAuthority(at: TLS.now, keyLog: keys?.add)
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
    }

    /// Whether TLS is between this caller and whoever it calls.
    func isOf(_ caller: Caller) -> Bool { isOfClients && caller.process != nil }

    func server(showing kind: CertificateKind) throws(TLSError) -> any TLSSession {
        try authority.session(as: [host], showing: kind, at: TLS.now)
    }

    func client() throws(TLSError) -> any TLSSession {
        try TLS.client(of: host, trusting: .authority(authority))
    }

    func client(of upstream: String) throws(TLSError) -> any TLSSession {
        try TLS.client(of: upstream, trusting: upstreamTrust)
    }
}
