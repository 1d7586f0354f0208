/// A service that the command can reach over the link: its name and port inside the link, and its address outside.
package struct ServiceRoute: Hashable, Sendable {
    /// The default service name.
    package static let defaultName = "server.test"

    /// The name inside the link, resolved by the namespace's `/etc/hosts`.
    package var name: String
    package var port: UInt16
    /// Whether the service uses UDP instead of TCP.
    package var isDatagram: Bool
    /// The address outside the link: `host:port` or `[address]:port`.
    package var upstream: String

    package init(name: String, port: UInt16, isDatagram: Bool = false, upstream: String) {
        self.name = name
        self.port = port
        self.isDatagram = isDatagram
        self.upstream = upstream
    }

    /// Parses `PORT`, `HOST:PORT`, `PORT=HOST:PORT` or `NAME:PORT=HOST:PORT`, with the prefix `udp:` for datagrams.
    ///
    /// - Throws: ``TermError`` if the text has none of these forms or the name cannot be used inside the link.
    package init(_ text: String) throws(TermError) {
        let wrong = TermError(
            """
            '\(text)' is not a service: write PORT, HOST:PORT, PORT=HOST:PORT or NAME:PORT=HOST:PORT, with udp: in \
            front for datagrams
            """
        )
        isDatagram = text.hasPrefix("udp:")
        let sides = text.dropFirst(isDatagram ? 4 : 0).split(separator: "=", omittingEmptySubsequences: false)
        guard (1...2).contains(sides.count), let inside = Self.split(sides[0], host: nil),
            let outside = Self.split(sides[sides.count - 1], host: "127.0.0.1"), let host = outside.host
        else { throw wrong }
        port = inside.port
        upstream = host.contains(":") ? "[\(host)]:\(outside.port)" : "\(host):\(outside.port)"
        guard let name = inside.host else {
            self.name = Self.defaultName
            return
        }
        if Self.isNumeric(name) || Self.isLocal(name) {
            // An explicit name must be neither an address nor a local name such as `localhost`, which inside the link
            // would refer to the namespace's own loopback interface.
            guard sides.count == 1 else {
                throw TermError(
                    "'\(text)': the name inside must be neither an address nor local: NAME:PORT=HOST:PORT"
                )
            }
            self.name = Self.defaultName
            return
        }
        guard name.utf8.count <= 253, name.utf8.allSatisfy(Self.isNameByte) else { throw wrong }
        guard name.lowercased() != Listening.name else {
            throw TermError(
                "'\(text)': \(Listening.name) is reserved: use another name, NAME:PORT=HOST:PORT"
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

    /// Returns whether a name always resolves to a loopback address (RFC 6761 section 6.3).
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
