/// The error thrown if a packet link cannot be created. The message names the missing permission or feature.
package struct PacketLinkError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
