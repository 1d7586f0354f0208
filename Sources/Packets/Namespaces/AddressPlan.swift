/// The addresses on a link.
///
/// The addresses are visible only inside the link's namespaces, so every link uses the same addresses.
package struct AddressPlan: Hashable, Sendable {
    /// The maximum number of names to which a link can assign addresses.
    package static let maximumNameCount = 200

    /// The distinct service names in order of first use. The name at index n has host number n + 2 in ``address4(_:)``.
    package let names: [String]

    /// Creates a plan that assigns an address to each service name.
    ///
    /// - Throws: ``TermError`` if a combination of name and port occurs twice, or if there are too many names.
    package init(_ routes: [ServiceRoute]) throws(TermError) {
        var names: [String] = []
        var seen: Set<Place> = []
        for route in routes {
            guard seen.insert(Place(name: route.name, port: route.port, isDatagram: route.isDatagram)).inserted else {
                throw TermError(
                    "\(route.name):\(route.port) is specified twice: give one of them another name, NAME:PORT=HOST:PORT"
                )
            }
            if !names.contains(route.name) { names.append(route.name) }
        }
        guard names.count <= Self.maximumNameCount else {
            throw TermError("too many names: at most \(Self.maximumNameCount) are allowed")
        }
        self.names = names
    }

    private struct Place: Hashable {
        var name: String
        var port: UInt16
        var isDatagram: Bool
    }

    /// Returns the IPv4 address of a host number. Number 1 is the command's end of the link; the numbers of the named
    /// services begin at 2.
    package static func address4(_ host: Int) -> String { "10.77.0.\(host)" }
    /// Returns the IPv6 address of a host number.
    package static func address6(_ host: Int) -> String { "fd77::\(String(host, radix: 16))" }

    static func number4(_ host: Int) -> UInt32 { 10 << 24 | 77 << 16 | UInt32(host) }
    static func bytes6(_ host: Int) -> [UInt8] { [0xFD, 0x77] + [UInt8](repeating: 0, count: 13) + [UInt8(host)] }

    /// Returns the host number of a service name; nil if the name is unknown.
    package func host(of name: String) -> Int? {
        names.firstIndex(of: name).map { $0 + 2 }
    }

    /// Returns the contents of `/etc/hosts` in the namespace: the service names, then `others`. The service names come
    /// first so that they take precedence.
    package func hosts(before others: String, withIPv6: Bool) -> String {
        var text = ""
        for (index, name) in names.enumerated() {
            text += "\(Self.address4(index + 2))\t\(name)\n"
            if withIPv6 { text += "\(Self.address6(index + 2))\t\(name)\n" }
        }
        return text + others
    }
}
