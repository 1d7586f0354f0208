package import SquallCore

/// One direction of a link. Its faults determine whether and when each packet leaves, and how the packet is changed.
///
/// With the same seed and faults, the n-th packet of a direction always has the same fate, regardless of when it
/// arrives. Only the effect of ``PacketFaults/limit`` depends on how many packets are queued. Each kind of fault has
/// its own random number stream, which also advances for lost packets. Changing the loss or the drop list therefore
/// does not affect the other faults.
package struct PacketLine: Sendable {
    package let faults: PacketFaults
    package private(set) var counts = LineCounts()

    private var loss: LossDraws
    private var duplicate: ChanceDraws
    private var corrupt: ChanceDraws
    private var corruptPlace: SeededGenerator
    private var reorder: ChanceDraws
    private var delay: DelayDraws
    private var queue = DepartureQueue()
    /// The number of packets, including lost packets, since the last reordered packet.
    private var sinceReordered: UInt64 = 0
    /// The index of the first range of ``PacketFaults/drop`` that does not end before the next packet's number.
    private var nextDrop = 0
    /// The time at which the last of the delayed packets leaves.
    package private(set) var lastDue = Instant.zero

    /// Creates an empty line; `name` identifies the direction's random number streams.
    package init(_ faults: PacketFaults, seed: Seed, name: String) {
        assert(zip(faults.drop, faults.drop.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        self.faults = faults
        func stream(_ use: String) -> SeededGenerator { seed.stream("packets.\(name).\(use)") }
        loss = LossDraws(faults.loss, drawing: stream("loss"))
        duplicate = ChanceDraws(faults.duplicate, drawing: stream("duplicate"))
        corrupt = ChanceDraws(faults.corrupt, drawing: stream("corrupt"))
        corruptPlace = stream("corrupt.place")
        reorder = ChanceDraws(faults.reorder, drawing: stream("reorder"))
        delay = DelayDraws(faults.delay, drawing: stream("delay"))
    }

    /// The number of queued packets.
    package var waiting: Int { queue.count }

    /// The time at which the next packet leaves; nil if no packet is queued.
    package var nextDeadline: Instant? { queue.next }

    /// Handles an arriving packet, and returns its fate.
    package mutating func arrive(_ packet: [UInt8], at now: Instant) -> PacketFate {
        counts.arrived += 1
        counts.bytes += UInt64(packet.count)
        var fate = PacketFate(number: counts.arrived)
        // Random values are generated even for lost packets, so that a change to the drop list does not affect other
        // packets.
        let isLost = loss.draw()
        let isDoubled = duplicate.draw()
        let draws = (0..<(isDoubled ? 2 : 1)).map { _ in draw(packet.count) }
        if isListed(fate.number) {
            fate.loss = .drop
            counts.dropped += 1
            return fate
        }
        guard !isLost else {
            fate.loss = .loss
            counts.lost += 1
            return fate
        }
        if isDoubled { counts.duplicated += 1 }
        for draw in draws { carry(packet, draw, at: now, &fate) }
        assert(counts.queued == UInt64(waiting))
        return fate
    }

    /// Removes and returns the next packet that is due by `now`; nil if no packet is due.
    package mutating func depart(at now: Instant) -> [UInt8]? {
        guard let packet = queue.remove(at: now) else { return nil }
        counts.delivered += 1
        return packet
    }

    /// Records that the kernel rejected the packet most recently returned by `depart`.
    package mutating func countRejected() {
        counts.rejected += 1
    }

    // MARK: - Packet copies

    /// The random values for one copy of a packet.
    private struct Draw {
        var corruptedBit: Int?
        var isReordered: Bool
        var delay: TimeSpan
    }

    /// Generates the random values for one copy of a packet of `length` bytes.
    private mutating func draw(_ length: Int) -> Draw {
        let isCorrupted = corrupt.draw() && length > 0
        return Draw(
            corruptedBit: isCorrupted ? Int(corruptPlace.below(UInt64(length) * 8)) : nil,
            isReordered: isReordered(),
            delay: delay.draw()
        )
    }

    /// Queues one copy of a packet, or drops the copy if the queue is full.
    private mutating func carry(_ packet: [UInt8], _ draw: Draw, at now: Instant, _ fate: inout PacketFate) {
        var copy = PacketFate.Copy(due: now)
        (copy.corruptedBit, copy.isReordered) = (draw.corruptedBit, draw.isReordered)
        guard queue.count < faults.limit else {
            fate.loss = .limit
            counts.overLimit += 1
            return
        }
        if !copy.isReordered {
            copy.due = due(packet.count, now + draw.delay)
            lastDue = max(lastDue, copy.due)
        } else {
            counts.reordered += 1
        }
        fate.copies.append(copy)
        guard let bit = copy.corruptedBit else {
            queue.insert(packet, due: copy.due)
            return
        }
        counts.corrupted += 1
        var changed = packet
        changed[bit / 8] ^= 1 << (7 - bit % 8)
        queue.insert(changed, due: copy.due)
    }

    /// Returns whether the drop list contains `number`. Successive calls must pass ascending numbers.
    private mutating func isListed(_ number: UInt64) -> Bool {
        while nextDrop < faults.drop.count, faults.drop[nextDrop].upperBound < number { nextDrop += 1 }
        return nextDrop < faults.drop.count && faults.drop[nextDrop].contains(number)
    }

    private mutating func isReordered() -> Bool {
        guard faults.reorder != .never else { return false }
        if sinceReordered + 1 >= faults.gap, reorder.draw() {
            sinceReordered = 0
            return true
        }
        sinceReordered += 1
        return false
    }

    /// Returns the time at which a packet leaves.
    ///
    /// Without a rate limit, the packet leaves after its delay. If packets keep their order, it does not leave before
    /// earlier packets. With a rate limit, its transmission begins after its delay and after the transmission of
    /// earlier packets.
    private func due(_ count: Int, _ arrival: Instant) -> Instant {
        guard let rate = faults.rate else { return faults.keepsOrder ? max(arrival, lastDue) : arrival }
        let bits = UInt64(count) * 8
        let product = bits.multipliedFullWidth(by: 1_000_000_000)
        guard rate > product.high else { return .never }
        let (quotient, remainder) = rate.dividingFullWidth(product)
        return max(arrival, lastDue) + TimeSpan(nanoseconds: Int64(clamping: quotient &+ (remainder > 0 ? 1 : 0)))
    }
}
