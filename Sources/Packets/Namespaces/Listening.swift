/// A forwarded port outside the link, for clients that cannot run behind it: connections cross the link and come back.
package struct Listening: Hashable, Sendable {
    /// The name of the far end's services for forwarded ports, one port each.
    ///
    /// It is reserved: no ``ServiceRoute`` of a user may have it.
    static let name = "listen.test"

    /// Where to listen: `127.0.0.1:9000`; port 0 takes any free one.
    package var address: String
    /// Where connections lead: `host:port`.
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

    /// Returns the far end's service for the forwarded port at this place, from 0.
    package static func reach(_ place: Int, to upstream: String) -> ServiceRoute {
        ServiceRoute(name: name, port: UInt16(clamping: place + 1), upstream: upstream)
    }

    /// Returns the far end's services for forwarded ports.
    package static func reaches(_ listenings: [Listening]) -> [ServiceRoute] {
        listenings.enumerated().map { reach($0, to: $1.upstream) }
    }
}
