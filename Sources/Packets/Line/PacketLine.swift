package import SquallCore

/// One way of a link: packets come in, and leave when and as its faults say.
///
/// The n-th packet of a way always fares the same under the same seed and the same faults, whatever time it comes at; only
/// ``PacketFaults/limit`` depends on how many wait. Each kind of fault draws from a stream of its own, also for packets that are
/// lost: another loss, or another drop list, moves no other draw.
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
    /// Since the last that was to be reordered, those among them that were lost.
    private var sinceReordered: UInt64 = 0
    /// The first of ``PacketFaults/drop`` that is not behind.
    private var nextDrop = 0
    /// When the last that was delayed leaves.
    package private(set) var lastDue = Instant.zero

    /// `name` is the way's: each draws its own chance.
    package init(_ faults: PacketFaults, seed: Seed, name: String) {
        self.faults = faults
        func stream(_ use: String) -> SeededGenerator { seed.stream("packets.\(name).\(use)") }
        loss = LossDraws(faults.loss, drawing: stream("loss"))
        duplicate = ChanceDraws(faults.duplicate, drawing: stream("duplicate"))
        corrupt = ChanceDraws(faults.corrupt, drawing: stream("corrupt"))
        corruptPlace = stream("corrupt.place")
        reorder = ChanceDraws(faults.reorder, drawing: stream("reorder"))
        delay = DelayDraws(faults.delay, drawing: stream("delay"))
    }

    /// Packets that wait.
    package var waiting: Int { queue.count }

    /// When the next packet leaves; nil where none waits.
    package var nextDeadline: Instant? { queue.next }

    /// A packet has come.
    package mutating func arrive(_ packet: [UInt8], at now: Instant) -> PacketFate {
        counts.arrived += 1
        counts.bytes += UInt64(packet.count)
        var fate = PacketFate(number: counts.arrived)
        // Drawn for every packet, also for one that is lost anyway: what is added to a drop list moves no other draw.
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
        return fate
    }

    /// The next packet that is due to leave by `now`; nil where none is.
    package mutating func depart(at now: Instant) -> [UInt8]? {
        guard let packet = queue.remove(at: now) else { return nil }
        counts.delivered += 1
        return packet
    }

    /// Whoever was to take the last packet did not.
    package mutating func refuse() {
        counts.refused += 1
    }

    // MARK: - One copy

    /// What chance says of one copy, if it is carried.
    private struct Draw {
        var corruptedBit: Int?
        var isReordered: Bool
        var delay: TimeSpan
    }

    /// Of a packet of so many bytes.
    private mutating func draw(_ length: Int) -> Draw {
        let isCorrupted = corrupt.draw() && length > 0
        return Draw(
            corruptedBit: isCorrupted ? Int(corruptPlace.below(UInt64(length) * 8)) : nil,
            isReordered: isReordered(),
            delay: delay.draw()
        )
    }

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

    /// After its delay, and with a rate behind those before it and as long as its bits take.
    private func due(_ count: Int, _ arrival: Instant) -> Instant {
        guard let rate = faults.rate else { return faults.keepsOrder ? max(arrival, lastDue) : arrival }
        let bits = UInt64(count) * 8
        let product = bits.multipliedFullWidth(by: 1_000_000_000)
        guard rate > product.high else { return .never }
        let (quotient, remainder) = rate.dividingFullWidth(product)
        return max(arrival, lastDue) + TimeSpan(nanoseconds: Int64(clamping: quotient &+ (remainder > 0 ? 1 : 0)))
    }
}
