/// A forwarded port outside the link, for clients that cannot run behind it: connections cross the link and return.
package struct Listening: Hashable, Sendable {
    /// The host name of the services at the far end to which ports are forwarded; each service has its own port.
    ///
    /// The name is reserved: no user-defined ``ServiceRoute`` may use it.
    static let name = "listen.test"

    /// The address to listen on, such as `127.0.0.1:9000`; with port 0 the kernel chooses a free one.
    package var address: String
    /// The address to which connections are forwarded, `host:port`.
    package var upstream: String

    /// Parses `PORT=HOST:PORT` or `ADDRESS:PORT=HOST:PORT`; the default address is loopback.
    ///
    /// - Throws: ``TermError`` if the text has neither form.
    package init(_ text: String) throws(TermError) {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2, let reach = try? ServiceRoute("server.test:1=\(sides[1])"),
            let place = Self.place(sides[0])
        else {
            throw TermError(
                "'\(text)' is not PORT=HOST:PORT or ADDRESS:PORT=HOST:PORT"
            )
        }
        upstream = reach.upstream
        address = place
    }

    private static func place(_ text: Substring) -> String? {
        guard let colon = text.lastIndex(of: ":") else { return UInt16(text).map { "127.0.0.1:\($0)" } }
        let host = text[..<colon]
        guard UInt16(text[text.index(after: colon)...]) != nil else { return nil }
        guard !host.contains(":") || host.hasPrefix("[") && host.hasSuffix("]") else { return nil }
        return String(text)
    }

    /// Returns the far end's service for the forwarded port at index `place`, counted from 0.
    package static func reach(_ place: Int, to upstream: String) -> ServiceRoute {
        ServiceRoute(name: name, port: UInt16(clamping: place + 1), upstream: upstream)
    }

    /// Returns the far end's services for all forwarded ports.
    package static func reaches(_ listenings: [Listening]) -> [ServiceRoute] {
        listenings.enumerated().map { reach($0, to: $1.upstream) }
    }
}
