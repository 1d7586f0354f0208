import Faults
import SquallCore
import Synchronization
import TLSLink

/// The certificate authority of a proxy server, read from a folder or created on first use.
///
/// It is shared by all threads that relay connections.
final class Certificates: Sendable {
    private let folder: String?
    private let authority: Mutex<(any TLSAuthority)?>

    /// - Parameter authority: The authority to use; nil to read it from `folder`, or to create one if `folder` is nil.
    init(in folder: String?, _ authority: (any TLSAuthority)? = nil) {
        self.folder = folder
        self.authority = Mutex(authority)
    }

    /// Returns the certificate authority, first reading or creating it if necessary.
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

    /// Creates the server side of a TLS session. Its certificate covers `names` and is valid or deliberately invalid,
    /// depending on `kind`.
    func session(as names: [String], showing kind: CertificateKind) throws(TLSError) -> any TLSSession {
        try found().session(as: names, showing: kind, at: TLS.now)
    }

    /// Checks that the TLS plan can be carried out, so that the API rejects an unworkable plan up front instead of
    /// letting every later connection fail.
    ///
    /// - Throws: ``APIError`` if a TLS session cannot be created, or if there is no host name to verify the upstream
    ///   against.
    func prepare(_ plan: TLSPlan?, to address: String) throws(APIError) {
        guard let plan else { return }
        do {
            if plan.terminates { _ = try session(as: plan.hosts, showing: .valid) }
            if let upstream = plan.upstream {
                let name = upstream.name(at: try? Endpoint(address))
                guard !name.isEmpty else {
                    throw APIError(
                        "tls.server_name: missing, and \(address) has no host name by which to verify the upstream",
                        400
                    )
                }
                _ = try TLS.client(of: name, trusting: upstream.trust)
            }
        } catch let error as APIError {
            throw error
        } catch {
            throw APIError("tls: \(error)", 400)
        }
    }

    /// Responds to every request on the certificate port, regardless of its path, with the certificate in DER, a form
    /// that phones can install (RFC 2585 section 4).
    func offer(to request: APIRequest) -> APIResponse {
        guard request.method == "GET" || request.method == "HEAD" else { return .notAllowed }
        guard let found = try? found() else { return .notFound }
        let type = "application/x-x509-ca-cert"
        return APIResponse(status: 200, contentType: type, body: found.certificate, isRouted: false)
    }

    /// Responds to `GET /tls/ca.pem` with the authority's certificate.
    func answer() throws(APIError) -> APIResponse {
        do {
            let pem = Array(try found().pem.utf8)
            return APIResponse(status: 200, contentType: "application/x-pem-file", body: pem)
        } catch {
            throw APIError("\(error)", 400)
        }
    }
}
