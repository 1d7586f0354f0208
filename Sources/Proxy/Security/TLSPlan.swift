import SquallCore
import TLSLink

/// What TLS of a proxy's connections ends at the proxy, as its entry says.
///
/// Where nothing ends there, TLS passes through untouched like any other bytes.
struct TLSPlan: Hashable, Sendable {
    /// How the upstream is spoken to.
    struct Upstream: Hashable, Sendable {
        /// Nil: the upstream's own host.
        var serverName: String?
        /// Nil: whom this machine's system believes.
        var authorities: [UInt8]?
        var verifies: Bool

        /// The name that the upstream there has to have.
        func name(at endpoint: Endpoint?) -> String { serverName ?? endpoint?.host ?? "" }

        var trust: TLSTrust {
            guard verifies else { return .everybody }
            return authorities.map { .certificates($0) } ?? .system
        }
    }

    /// Whether the client's TLS ends here.
    let terminates: Bool
    /// Hosts for the certificate of a client that names none.
    let hosts: [String]
    /// Nil: in plaintext.
    let upstream: Upstream?
    let source: JSON

    private static let modes = ["pass", "terminate", "originate"]

    /// Nil for what passes through.
    init?(_ json: JSON) throws(APIError) {
        let known = ["mode", "hosts", "upstream", "server_name", "verify", "ca"]
        let object = try StrictObject(json, at: "tls", known: known)
        let mode = try object.need(text: "mode")
        guard Self.modes.contains(mode) else {
            throw APIError("tls.mode: one of \(Self.modes.joined(separator: ", ")) is wanted, not \(mode)", 400)
        }
        let towards = try object.text("upstream") ?? (mode == "originate" ? "tls" : "plain")
        guard towards == "tls" || towards == "plain" && mode != "originate" else {
            throw APIError("tls.upstream: tls or plain is wanted, and tls to originate, not \(towards)", 400)
        }
        let hosts = try object.list("hosts")?.compactMap(\.stringValue) ?? ["localhost", "127.0.0.1", "::1"]
        let isReached = towards == "tls" && mode != "pass"
        for (name, isOfUse) in [
            ("hosts", mode == "terminate"), ("upstream", mode != "pass"), ("server_name", isReached),
            ("verify", isReached), ("ca", isReached),
        ] where object[name] != nil && !isOfUse {
            throw APIError("tls.\(name): has no meaning here; see mode and upstream", 400)
        }
        guard !hosts.isEmpty, hosts.count == object["hosts"]?.arrayValue?.count ?? hosts.count else {
            throw APIError("tls.hosts: names or addresses are wanted", 400)
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

    /// Whose names the certificate for this client bears.
    func names(for hello: ClientHello) -> [String] {
        hello.serverName.map { [$0] } ?? hosts
    }
}
