/// A port out here that leads over the link and back: for clients that cannot be run behind it.
package struct Listening: Hashable, Sendable {
    /// `127.0.0.1:9000`; port 0 takes any that is free.
    package var address: String
    /// `host:port`.
    package var upstream: String

    /// `PORT=HOST:PORT` or `ADDRESS:PORT=HOST:PORT`; loopback unless an address is given.
    package init(_ text: String) throws(TermError) {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2, let reach = try? Reach("server.test:1=\(sides[1])"), !sides[0].isEmpty else {
            throw TermError(
                "'\(text)' says not where to listen and where that leads: PORT=HOST:PORT or ADDRESS:PORT=HOST:PORT"
            )
        }
        upstream = reach.upstream
        address = sides[0].contains(":") ? String(sides[0]) : "127.0.0.1:\(sides[0])"
    }

    /// Where the far end of the link has it, the n-th from 0.
    package static func reach(_ place: Int, to upstream: String) -> Reach {
        Reach(name: "listen.test", port: UInt16(clamping: place + 1), upstream: upstream)
    }
}
