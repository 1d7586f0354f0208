/// Where somebody else's server listens: `ws://localhost:8080` or `https://chat.example.org`.
///
/// Clients ask for their own paths; what stands behind the port has no meaning here.
package struct UpstreamAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or an IPv4 address, or an IPv6 address without its brackets.
    package let host: String
    package let port: Int
    /// Whether it is spoken to by TLS.
    package let isSecured: Bool

    /// What is wrong with an address, and the way out.
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
            throw problem("'\(text)' is no address of a server", example)
        }
        switch text[..<colon].lowercased() {
        case "ws", "http", "wss", "https": break
        default: throw problem("'\(text[..<colon])' is no scheme that Squall speaks", example)
        }
        let isSecured = ["wss", "https"].contains(text[..<colon].lowercased())
        let rest = text[text.index(colon, offsetBy: 3)...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else {
            throw problem("an address with a user in it", "credentials are the client's to send")
        }
        let (host, port) = Self.split(authority)
        guard !host.isEmpty, let number = port.isEmpty ? (isSecured ? 443 : 80) : UInt16(port).map(Int.init), number > 0
        else {
            throw problem("'\(text)' names no host and port", example)
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
        // A colon without a number behind it, or several without brackets, is no port.
        return host.contains(":") || port.isEmpty ? ("", "") : (host, port)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
