/// A port outside the link that is forwarded across it, for clients that cannot run inside the link's namespace.
/// Connections to the port enter the link and leave it at the other end.
package struct Listening: Hashable, Sendable {
    /// The host name of the far-end services to which ports are forwarded; there is one service per forwarded port.
    ///
    /// The name is reserved: no user-defined ``ServiceRoute`` may use it.
    static let name = "listen.test"

    /// The address to listen on, such as `127.0.0.1:9000`. If the port is 0, the kernel chooses a free port.
    package var address: String
    /// The address to which connections are forwarded, in the form `host:port`.
    package var upstream: String

    /// Parses `PORT=HOST:PORT` or `ADDRESS:PORT=HOST:PORT`; the default address is loopback.
    ///
    /// - Throws: ``TermError`` if the text has neither form.
    package init(_ text: String) throws(TermError) {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2, let route = try? ServiceRoute("server.test:1=\(sides[1])"),
            let place = Self.place(sides[0])
        else {
            throw TermError(
                "'\(text)' is not PORT=HOST:PORT or ADDRESS:PORT=HOST:PORT"
            )
        }
        upstream = route.upstream
        address = place
    }

    private static func place(_ text: Substring) -> String? {
        guard let colon = text.lastIndex(of: ":") else { return UInt16(text).map { "127.0.0.1:\($0)" } }
        let host = text[..<colon]
        guard UInt16(text[text.index(after: colon)...]) != nil else { return nil }
        guard !host.contains(":") || host.hasPrefix("[") && host.hasSuffix("]") else { return nil }
        return String(text)
    }

    /// Returns the service at the far end of the link for the forwarded port at index `place`.
    package static func route(_ place: Int, to upstream: String) -> ServiceRoute {
        ServiceRoute(name: name, port: UInt16(clamping: place + 1), upstream: upstream)
    }

    /// Returns the services at the far end of the link for all forwarded ports.
    package static func routes(_ listenings: [Listening]) -> [ServiceRoute] {
        listenings.enumerated().map { route($0, to: $1.upstream) }
    }
}
