import SquallCore
import TLSLink

/// A proxy's plan for terminating and originating TLS, as specified by its `tls` entry.
///
/// Without a plan, TLS passes through unchanged, like any other bytes.
struct TLSPlan: Hashable, Sendable {
    /// The TLS settings for the connection from the proxy to the upstream.
    struct Upstream: Hashable, Sendable {
        /// The name that the upstream's certificate must have; nil means the upstream's host.
        var serverName: String?
        /// The trusted certificates, in PEM; nil to trust the operating system's certificates.
        var authorities: [UInt8]?
        /// Whether the upstream's certificate is verified.
        var verifies: Bool

        /// Returns the name that the upstream's certificate must have; `endpoint` is the upstream's address.
        func name(at endpoint: Endpoint?) -> String { serverName ?? endpoint?.host ?? "" }

        var trust: TLSTrust {
            guard verifies else { return .anyCertificate }
            return authorities.map { .certificates($0) } ?? .system
        }
    }

    /// Whether the proxy terminates the client's TLS.
    let terminates: Bool
    /// The hosts in the certificate for a client that sends no server name (SNI).
    let hosts: [String]
    /// The TLS settings for the upstream; nil means plaintext.
    let upstream: Upstream?
    /// The `tls` entry in JSON, as given.
    let source: JSON

    private static let modes = ["pass", "terminate", "originate"]

    /// Parses a `tls` entry; returns nil if its mode is `pass`.
    ///
    /// - Throws: ``APIError`` if the entry is invalid, if this build has no TLS, or if the `ca` file cannot be read.
    init?(_ json: JSON) throws(APIError) {
        let known = ["mode", "hosts", "upstream", "server_name", "verify", "ca"]
        let object = try StrictObject(json, at: "tls", known: known)
        let mode = try object.need(text: "mode")
        guard Self.modes.contains(mode) else {
            throw APIError("tls.mode: expected one of \(Self.modes.joined(separator: ", ")), found \(mode)", 400)
        }
        let towards = try object.text("upstream") ?? (mode == "originate" ? "tls" : "plain")
        guard towards == "tls" || towards == "plain" && mode != "originate" else {
            throw APIError("tls.upstream: expected tls or plain, and tls with mode originate, found \(towards)", 400)
        }
        let hosts = try object.list("hosts")?.compactMap(\.stringValue) ?? ["localhost", "127.0.0.1", "::1"]
        let isReached = towards == "tls" && mode != "pass"
        for (name, isOfUse) in [
            ("hosts", mode == "terminate"), ("upstream", mode != "pass"), ("server_name", isReached),
            ("verify", isReached), ("ca", isReached),
        ] where object[name] != nil && !isOfUse {
            throw APIError("tls.\(name): not allowed with this mode and upstream", 400)
        }
        guard !hosts.isEmpty, hosts.count == object["hosts"]?.arrayValue?.count ?? hosts.count else {
            throw APIError("tls.hosts: expected a non-empty list of names or addresses", 400)
        }
        guard mode != "pass" else { return nil }
        guard TLS.isBuilt else { throw APIError("tls: \(TLSError.notBuilt)", 400) }
        var upstream: Upstream?
        if isReached {
            upstream = Upstream(
                serverName: try object.text("server_name"),
                authorities: try object.text("ca").map { path throws(APIError) in try Self.read(path) },
                verifies: try object.flag("verify") ?? true
            )
        }
        terminates = mode == "terminate"
        self.hosts = hosts
        self.upstream = upstream
        source = json
    }

    private static func read(_ path: String) throws(APIError) -> [UInt8] {
        guard let bytes = TextFile.contents(of: path) else {
            throw APIError("tls.ca: \(path): \(TextFile.lastError)", 400)
        }
        return bytes
    }

    /// Returns the names for the certificate to present to this client.
    func names(for hello: ClientHello) -> [String] {
        hello.serverName.map { [$0] } ?? hosts
    }
}
