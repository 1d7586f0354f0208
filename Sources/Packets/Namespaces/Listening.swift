/// A port out here that leads over the link and back: for clients that cannot be run behind it.
package struct Listening: Hashable, Sendable {
    /// What the far end of the link goes by, a port for each; no ``ServiceRoute`` that somebody writes may have it.
    static let name = "listen.test"

    /// `127.0.0.1:9000`; port 0 takes any that is free.
    package var address: String
    /// `host:port`.
    package var upstream: String

    /// `PORT=HOST:PORT` or `ADDRESS:PORT=HOST:PORT`; loopback unless an address is given.
    package init(_ text: String) throws(TermError) {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2, let reach = try? ServiceRoute("server.test:1=\(sides[1])"),
            let place = Self.place(sides[0])
        else {
            throw TermError(
                "'\(text)' says not where to listen and where that leads: PORT=HOST:PORT or ADDRESS:PORT=HOST:PORT"
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

    /// Where the far end of the link has it, the n-th from 0.
    package static func reach(_ place: Int, to upstream: String) -> ServiceRoute {
        ServiceRoute(name: name, port: UInt16(clamping: place + 1), upstream: upstream)
    }

    /// Of each, where the far end has it.
    package static func reaches(_ listenings: [Listening]) -> [ServiceRoute] {
        listenings.enumerated().map { reach($0, to: $1.upstream) }
    }
}
