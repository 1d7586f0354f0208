/// Why a packet link could not be made; the message names the missing permission or feature.
package struct PacketLinkError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
