package import SquallCore

/// What became of a packet that came to a line.
package struct PacketFate: Hashable, Sendable {
    package enum Loss: String, Hashable, Sendable, CaseIterable {
        /// By chance.
        case loss
        /// By its number.
        case drop
        /// More waited than may.
        case limit
    }

    /// One arrival at the other end.
    package struct Copy: Hashable, Sendable {
        package var due: Instant
        /// It overtakes what is delayed.
        package var isReordered = false
        /// The bit that is changed, from the packet's first; nil where none is.
        package var corruptedBit: Int?

        package init(due: Instant, isReordered: Bool = false, corruptedBit: Int? = nil) {
            self.due = due
            self.isReordered = isReordered
            self.corruptedBit = corruptedBit
        }
    }

    /// From 1, in its direction.
    package var number: UInt64
    /// In the order in which they were decided: the packet itself, then its duplicate.
    package var copies: [Copy]
    /// Why one or both did not pass.
    package var loss: Loss?

    package init(number: UInt64, copies: [Copy] = [], loss: Loss? = nil) {
        self.number = number
        self.copies = copies
        self.loss = loss
    }
}
