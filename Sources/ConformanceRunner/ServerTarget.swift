/// A `ws://` URL taken apart.
package struct ServerTarget: Hashable, Sendable, CustomStringConvertible {
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
        guard url[..<colon].lowercased() == "ws" else {
            throw Problem(
                message: "'\(url)': only ws:// is played; put a TLS endpoint behind a plain port for the cases"
            )
        }
        let rest = url[colon...].dropFirst(3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest[authority.endIndex...]
        var (name, number) = (authority, 80)
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            guard let port = Int(authority[authority.index(after: colon)...]), 1...65_535 ~= port else {
                throw Problem(message: "'\(url)': the port is a number from 1 to 65535")
            }
            (name, number) = (authority[..<colon], port)
        }
        guard !name.isEmpty else { throw Problem(message: "'\(url)' names no host") }
        host = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : String(name)
        port = number
        path = target.isEmpty ? "/" : target.hasPrefix("?") ? "/\(target)" : String(target)
    }

    package var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    package var description: String { "ws://\(authority)\(path)" }
}
