/// A parsed `ws://` or `wss://` URL (RFC 6455, section 3).
package struct ServerTarget: Hashable, Sendable, CustomStringConvertible {
    /// Whether the target uses TLS.
    package let isSecure: Bool
    package let host: String
    package let port: Int
    /// The path and the query; `/` if the URL has neither.
    package let path: String

    package struct Problem: Error, Hashable, Sendable {
        package var message: String
    }

    package init(_ url: String) throws(Problem) {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else {
            throw Problem(message: "'\(url)' is not a URL; write ws://HOST:PORT/PATH")
        }
        let scheme = url[..<colon].lowercased()
        guard scheme == "ws" || scheme == "wss" else {
            throw Problem(message: "'\(url)': the URL must begin with ws:// or wss://")
        }
        guard url.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw Problem(message: "'\(url)': the URL contains characters that must be written as %XX")
        }
        guard !url.contains("#") else {
            throw Problem(message: "'\(url)': the URL of a WebSocket cannot have a fragment; write %23 for a '#'")
        }
        let rest = url[colon...].dropFirst(3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest[authority.endIndex...]
        guard !authority.contains("@") else {
            throw Problem(message: "'\(url)': the URL of a WebSocket cannot contain a user name or password")
        }
        var (name, number) = (authority, scheme == "wss" ? 443 : 80)
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            guard let port = Int(authority[authority.index(after: colon)...]), 1...65_535 ~= port else {
                throw Problem(message: "'\(url)': the port must be a number from 1 to 65535")
            }
            (name, number) = (authority[..<colon], port)
        }
        guard !name.isEmpty else { throw Problem(message: "'\(url)' has no host") }
        isSecure = scheme == "wss"
        host = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : String(name)
        port = number
        path = target.isEmpty ? "/" : target.hasPrefix("?") ? "/\(target)" : String(target)
    }

    package var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    package var description: String { "\(isSecure ? "wss" : "ws")://\(authority)\(path)" }
}
