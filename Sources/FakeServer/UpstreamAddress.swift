/// The address of a real server to use instead of the fake server, such as `ws://localhost:8080` or
/// `https://chat.example.org`.
///
/// A path or query after the port is ignored, because clients request their own paths.
package struct UpstreamAddress: Hashable, Sendable, CustomStringConvertible {
    /// A host name, an IPv4 address or an IPv6 address without brackets.
    package let host: String
    package let port: Int
    /// Whether connections to the server use TLS.
    package let isSecured: Bool

    /// The reason why an address is invalid, with a suggested fix.
    package struct Problem: Error, Hashable, Sendable {
        package let message: String
        package let help: String
    }

    package init(host: String, port: Int, isSecured: Bool = false) {
        self.host = host
        self.port = port
        self.isSecured = isSecured
    }

    package init(parsing text: String) throws(Problem) {
        func problem(_ message: String, _ help: String) -> Problem { Problem(message: message, help: help) }
        let example = "write ws://localhost:8080 or http://localhost:8080"
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
            throw problem("'\(text)' is not a server address", example)
        }
        switch text[..<colon].lowercased() {
        case "ws", "http", "wss", "https": break
        default: throw problem("unsupported scheme '\(text[..<colon])'", example)
        }
        let isSecured = ["wss", "https"].contains(text[..<colon].lowercased())
        let rest = text[text.index(colon, offsetBy: 3)...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else {
            throw problem(
                "the server address contains a user name",
                "remove the user name; the client sends its own credentials"
            )
        }
        let (host, port) = Self.split(authority)
        guard !host.isEmpty, let number = port.isEmpty ? (isSecured ? 443 : 80) : UInt16(port).map(Int.init), number > 0
        else {
            throw problem("'\(text)' has no valid host and port", example)
        }
        self.init(host: host, port: number, isSecured: isSecured)
    }

    private static func split(_ authority: Substring) -> (host: String, port: Substring) {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            let host = String(authority[authority.index(after: authority.startIndex)..<end])
            let rest = authority[authority.index(after: end)...]
            return rest.isEmpty || rest.hasPrefix(":") ? (host, rest.dropFirst()) : ("", "")
        }
        guard let colon = authority.lastIndex(of: ":") else { return (String(authority), "") }
        let (host, port) = (String(authority[..<colon]), authority[authority.index(after: colon)...])
        // Returns empty strings, which the caller rejects, if nothing follows the colon, or if there are several
        // colons, as in an IPv6 address without brackets.
        return host.contains(":") || port.isEmpty ? ("", "") : (host, port)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
