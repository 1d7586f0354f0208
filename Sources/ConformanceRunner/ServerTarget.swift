/// A `ws://` or `wss://` URL taken apart (RFC 6455 section 3).
package struct ServerTarget: Hashable, Sendable, CustomStringConvertible {
    /// Whether it is spoken to by TLS.
    package let isSecure: Bool
    package let host: String
    package let port: Int
    /// Path and query, `/` where there is none.
    package let path: String

    package struct Problem: Error, Hashable, Sendable {
        package var message: String
    }

    package init(_ url: String) throws(Problem) {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else {
            throw Problem(message: "'\(url)' is no URL; write ws://HOST:PORT/PATH")
        }
        let scheme = url[..<colon].lowercased()
        guard scheme == "ws" || scheme == "wss" else {
            throw Problem(message: "'\(url)': a URL that begins with ws:// or wss:// is wanted")
        }
        guard url.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw Problem(message: "'\(url)': what is no plain letter, digit or sign is written as %XX in a URL")
        }
        guard !url.contains("#") else {
            throw Problem(message: "'\(url)': the URL of a WebSocket has no fragment; write %23 for a '#'")
        }
        let rest = url[colon...].dropFirst(3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest[authority.endIndex...]
        guard !authority.contains("@") else {
            throw Problem(message: "'\(url)': a name and a password cannot stand in the URL of a WebSocket")
        }
        var (name, number) = (authority, scheme == "wss" ? 443 : 80)
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            guard let port = Int(authority[authority.index(after: colon)...]), 1...65_535 ~= port else {
                throw Problem(message: "'\(url)': the port is a number from 1 to 65535")
            }
            (name, number) = (authority[..<colon], port)
        }
        guard !name.isEmpty else { throw Problem(message: "'\(url)' names no host") }
        isSecure = scheme == "wss"
        host = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : String(name)
        port = number
        path = target.isEmpty ? "/" : target.hasPrefix("?") ? "/\(target)" : String(target)
    }

    package var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    package var description: String { "\(isSecure ? "wss" : "ws")://\(authority)\(path)" }
}
