package import SquallCore

/// The fate of one packet on a line: why it was lost, or when its copies arrive at the other end.
package struct PacketFate: Hashable, Sendable {
    package enum Loss: String, Hashable, Sendable, CaseIterable {
        /// The packet was lost according to the random ``LossModel``.
        case loss
        /// The packet was dropped because its number is listed in ``PacketFaults/drop``.
        case drop
        /// The packet was dropped because the queue was full.
        case limit
    }

    /// One arrival of a copy of the packet at the other end of the line.
    package struct Copy: Hashable, Sendable {
        package var due: Instant
        /// Whether the copy is sent immediately and overtakes delayed packets.
        package var isReordered = false
        /// The index of the bit that is flipped, counted from the packet's first bit; nil if no bit is flipped.
        package var corruptedBit: Int?

        package init(due: Instant, isReordered: Bool = false, corruptedBit: Int? = nil) {
            self.due = due
            self.isReordered = isReordered
            self.corruptedBit = corruptedBit
        }
    }

    /// The packet's number in its direction, counted from 1.
    package var number: UInt64
    /// The arrivals of the packet and of its duplicate, if there is one; empty if the packet is lost.
    package var copies: [Copy]
    /// The reason why the packet or its duplicate was lost; nil if neither was lost.
    package var loss: Loss?

    package init(number: UInt64, copies: [Copy] = [], loss: Loss? = nil) {
        self.number = number
        self.copies = copies
        self.loss = loss
    }
}
