/// One service that the command can reach through the link: by a name and a port in there, and where it is out here.
package struct ServiceRoute: Hashable, Sendable {
    /// The name of what is given without one.
    package static let usualName = "server.test"

    /// As `/etc/hosts` inside has it.
    package var name: String
    package var port: UInt16
    /// UDP, else TCP.
    package var isDatagram: Bool
    /// `host:port`, or `[address]:port`.
    package var upstream: String

    package init(name: String, port: UInt16, isDatagram: Bool = false, upstream: String) {
        self.name = name
        self.port = port
        self.isDatagram = isDatagram
        self.upstream = upstream
    }

    /// `PORT`, `HOST:PORT`, `PORT=HOST:PORT` or `NAME:PORT=HOST:PORT`, with `udp:` in front for datagrams.
    package init(_ text: String) throws(TermError) {
        let wrong = TermError(
            "'\(text)' is no service: say PORT, HOST:PORT, PORT=HOST:PORT or NAME:PORT=HOST:PORT, with udp: in front for "
                + "datagrams"
        )
        isDatagram = text.hasPrefix("udp:")
        let sides = text.dropFirst(isDatagram ? 4 : 0).split(separator: "=", omittingEmptySubsequences: false)
        guard (1...2).contains(sides.count), let inside = Self.split(sides[0], host: nil),
            let outside = Self.split(sides[sides.count - 1], host: "127.0.0.1"), let host = outside.host
        else { throw wrong }
        port = inside.port
        upstream = host.contains(":") ? "[\(host)]:\(outside.port)" : "\(host):\(outside.port)"
        guard let name = inside.host else {
            self.name = Self.usualName
            return
        }
        if Self.isNumeric(name) || Self.isLocal(name) {
            // An address is no name; and what is local out here would be another place in there.
            guard sides.count == 1 else {
                throw TermError(
                    "'\(text)': inside, a service goes by a name that is not its own machine's: say NAME:PORT=HOST:PORT"
                )
            }
            self.name = Self.usualName
            return
        }
        guard name.utf8.count <= 253, name.utf8.allSatisfy(Self.isNameByte) else { throw wrong }
        guard name.lowercased() != Listening.name else {
            throw TermError(
                "'\(text)': \(Listening.name) is Squall's own inside: take another name, NAME:PORT=HOST:PORT"
            )
        }
        self.name = name.lowercased()
    }

    private static func split(_ text: Substring, host usual: String?) -> (host: String?, port: UInt16)? {
        guard let colon = text.lastIndex(of: ":") else {
            guard let port = UInt16(text), port > 0 else { return nil }
            return (usual, port)
        }
        var host = text[..<colon]
        guard let port = UInt16(text[text.index(after: colon)...]), port > 0, !host.isEmpty else { return nil }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        return (String(host), port)
    }

    private static func isNumeric(_ name: String) -> Bool {
        name.contains(":") || name.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }

    /// RFC 6761 section 6.3.
    private static func isLocal(_ name: String) -> Bool {
        name.lowercased() == "localhost" || name.lowercased().hasSuffix(".localhost")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }
}
