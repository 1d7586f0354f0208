import Faults
import SquallCore
import Synchronization
import TLSLink

/// The authority behind a server's proxies, made or read when it is first needed.
///
/// Asked from every thread that carries connections.
final class Certificates: Sendable {
    private let folder: String?
    private let authority = Mutex<(any TLSAuthority)?>(nil)

    init(in folder: String?) {
        self.folder = folder
    }

    private func found() throws(TLSError) -> any TLSAuthority {
        let now = TLS.now
        return try authority.withLock { authority throws(TLSError) in
            if let authority { return authority }
            let found: any TLSAuthority
            if let folder {
                found = try TLS.authority(in: folder, at: now)
            } else {
                found = try TLS.makeAuthority(at: now)
            }
            authority = found
            return found
        }
    }

    func session(as names: [String], showing kind: CertificateKind) throws(TLSError) -> any TLSSession {
        try found().session(as: names, showing: kind, at: TLS.now)
    }

    /// Fails where a proxy could never do what is asked of it: better now than at each connection.
    func prepare(_ plan: TLSPlan?, to address: String) throws(APIError) {
        guard let plan else { return }
        do {
            if plan.terminates { _ = try session(as: plan.hosts, showing: .valid) }
            if let upstream = plan.upstream {
                let name = upstream.name(at: try? Endpoint(address))
                guard !name.isEmpty else {
                    throw APIError("tls.server_name: \(address) has no name for the upstream to go by: say which", 400)
                }
                _ = try TLS.client(of: name, trusting: upstream.trust)
            }
        } catch let error as APIError {
            throw error
        } catch {
            throw APIError("tls: \(error)", 400)
        }
    }

    /// The authority's own certificate, at whatever path: as phones take it (RFC 2585 section 4).
    func offer(to request: APIRequest) -> APIResponse {
        guard request.method == "GET" || request.method == "HEAD" else { return .notAllowed }
        guard let found = try? found() else { return .notFound }
        let type = "application/x-x509-ca-cert"
        return APIResponse(status: 200, contentType: type, body: found.certificate, isRouted: false)
    }

    /// The authority's own certificate, for whoever is to trust it.
    func answer() throws(APIError) -> APIResponse {
        do {
            let pem = Array(try found().pem.utf8)
            return APIResponse(status: 200, contentType: "application/x-pem-file", body: pem)
        } catch {
            throw APIError("\(error)", 400)
        }
    }
}
