package import SquallCore

/// What a line decided for one packet.
package struct PacketFate: Hashable, Sendable {
    package enum Loss: String, Hashable, Sendable, CaseIterable {
        /// Lost by the random ``LossModel``.
        case loss
        /// Dropped by its number.
        case drop
        /// Dropped because too many packets were waiting.
        case limit
    }

    /// One arrival of the packet at the other end.
    package struct Copy: Hashable, Sendable {
        package var due: Instant
        /// Whether it is sent at once and overtakes delayed packets.
        package var isReordered = false
        /// The index of the flipped bit, counted from the packet's first; nil if none is.
        package var corruptedBit: Int?

        package init(due: Instant, isReordered: Bool = false, corruptedBit: Int? = nil) {
            self.due = due
            self.isReordered = isReordered
            self.corruptedBit = corruptedBit
        }
    }

    /// The packet's number in its direction, from 1.
    package var number: UInt64
    /// The packet itself, then its duplicate; empty if it is lost.
    package var copies: [Copy]
    /// Why the packet, or one of its copies, was lost.
    package var loss: Loss?

    package init(number: UInt64, copies: [Copy] = [], loss: Loss? = nil) {
        self.number = number
        self.copies = copies
        self.loss = loss
    }
}
