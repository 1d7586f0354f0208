/// Who has which address on the link: nobody else sees them, so that they are the same each time.
package struct AddressPlan: Hashable, Sendable {
    /// Names beyond these find no address.
    package static let most = 200

    /// Each once, in the order in which they were first asked for; the n-th, from 0, has ``address4(of:)``.
    package let names: [String]

    package init(_ reaches: [ServiceRoute]) throws(TermError) {
        var names: [String] = []
        var seen: Set<Place> = []
        for reach in reaches {
            guard seen.insert(Place(name: reach.name, port: reach.port, isDatagram: reach.isDatagram)).inserted else {
                throw TermError(
                    "\(reach.name):\(reach.port) is given twice: one of them needs a name of its own, NAME:PORT=HOST:PORT"
                )
            }
            if !names.contains(reach.name) { names.append(reach.name) }
        }
        guard names.count <= Self.most else { throw TermError("these are more names than \(Self.most)") }
        self.names = names
    }

    private struct Place: Hashable {
        var name: String
        var port: UInt16
        var isDatagram: Bool
    }

    /// Of the client's side and, from 2, of names.
    package static func address4(_ host: Int) -> String { "10.77.0.\(host)" }
    package static func address6(_ host: Int) -> String { "fd77::\(String(host, radix: 16))" }

    static func number4(_ host: Int) -> UInt32 { 10 << 24 | 77 << 16 | UInt32(host) }
    static func bytes6(_ host: Int) -> [UInt8] { [0xFD, 0x77] + [UInt8](repeating: 0, count: 13) + [UInt8(host)] }

    /// The number of the host that a name belongs to; nil for a name that is not here.
    package func host(of name: String) -> Int? {
        names.firstIndex(of: name).map { $0 + 2 }
    }

    /// `/etc/hosts` inside: these names, before all that the machine's own says.
    package func hosts(before others: String, withIPv6: Bool) -> String {
        var text = ""
        for (place, name) in names.enumerated() {
            text += "\(Self.address4(place + 2))\t\(name)\n"
            if withIPv6 { text += "\(Self.address6(place + 2))\t\(name)\n" }
        }
        return text + others
    }
}
