/// What kept a link of packets from being made, with what is missing.
package struct PacketLinkError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
