import Packets
import SquallCore
import Testing

/// Returns a packet that contains its number, so that arrivals can be identified.
func packet(_ number: Int, length: Int = 100) -> [UInt8] {
    [UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
        + [UInt8](repeating: 0, count: length - 3)
}

func number(of packet: [UInt8]) -> Int { Int(packet[0]) << 16 | Int(packet[1]) << 8 | Int(packet[2]) }

func milliseconds(_ count: Int64) -> Instant { .zero + .milliseconds(count) }

extension PacketLine {
    init(_ terms: String, seed: UInt64 = 1, name: String = "up") throws {
        self.init(try PacketFaults(terms: terms), seed: Seed(seed), name: name)
    }

    /// Removes all packets in order of their due times, and returns each with its due time.
    mutating func drain() -> [(at: Instant, packet: [UInt8])] {
        var arrivals: [(Instant, [UInt8])] = []
        while let due = nextDeadline {
            while let packet = depart(at: due) { arrivals.append((due, packet)) }
        }
        return arrivals
    }

    /// Sends `count` packets at intervals of `gap`, and removes packets as they become due. Returns the fate of each
    /// packet sent.
    mutating func play(_ count: Int, every gap: TimeSpan = .milliseconds(1)) -> [PacketFate] {
        var now = Instant.zero
        return (1...count).map { index in
            defer { now = now + gap }
            while depart(at: now) != nil {}
            return arrive(packet(index), at: now)
        }
    }
}

struct PacketLineTests {
    @Test("A line without faults delivers a packet unchanged and at once") func carriesUntouchedAtOnce() throws {
        var line = try PacketLine("")
        let fate = line.arrive(packet(7), at: milliseconds(3))
        #expect(fate == PacketFate(number: 1, copies: [.init(due: milliseconds(3))]))
        #expect(line.depart(at: milliseconds(3)) == packet(7))
        #expect(line.depart(at: milliseconds(3)) == nil)
        #expect(line.nextDeadline == nil)
        #expect((line.counts.arrived, line.counts.delivered, line.counts.bytes) == (1, 1, 100))
    }

    @Test("'delay' holds a packet for exactly the given time") func delays() throws {
        var line = try PacketLine("delay 50ms")
        _ = line.arrive(packet(1), at: milliseconds(10))
        #expect(line.nextDeadline == milliseconds(60))
        #expect(line.depart(at: Instant(nanoseconds: milliseconds(60).nanoseconds - 1)) == nil)
        #expect(line.depart(at: milliseconds(60)) == packet(1))
    }

    @Test("Packets that are due at the same instant keep their order") func keepsTheOrderOfOneInstant() throws {
        var line = try PacketLine("delay 5ms")
        for index in 1...100 { _ = line.arrive(packet(index), at: .zero) }
        #expect(line.drain().map { number(of: $0.packet) } == Array(1...100))
    }

    // MARK: - Loss

    @Test(
        "'loss' drops the given share of packets in every loss model",
        arguments: ["loss 5%", "loss 5% 60%", "loss gemodel 1% 19%"]
    )
    func losesTheShareThatWasSaid(_ terms: String) throws {
        var line = try PacketLine(terms)
        let count = 100_000
        let lost = line.play(count).count { $0.loss == .loss }
        #expect(line.counts.lost == lost)
        // The tolerance is six standard deviations. The standard deviation is 69 for independent losses; the
        // correlation makes it at most three times as large.
        #expect(abs(lost - count / 20) < 6 * 3 * 69, "\(lost) of \(count)")
    }

    @Test("A loss of 0% drops no packet, and a loss of 100% drops every packet") func losesNoneAndAll() throws {
        var none = try PacketLine("loss 0%")
        #expect(none.play(1000).allSatisfy { $0.loss == nil })
        var all = try PacketLine("loss 100%")
        #expect(all.play(1000).allSatisfy { $0.loss == .loss && $0.copies.isEmpty })
        #expect(all.nextDeadline == nil)
    }

    /// Returns the fraction of lost packets whose successor is also lost, and the mean length of a burst.
    private func repeats(_ terms: String) throws -> (share: Double, bursts: Double) {
        var line = try PacketLine(terms)
        let lost = line.play(150_000).map { $0.loss != nil }
        let pairs = zip(lost, lost.dropFirst())
        let first = Double(lost.dropLast().count { $0 })
        let both = Double(pairs.count { $0 && $1 })
        let begun = Double(pairs.count { !$0 && $1 })
        return (both / first, first / begun)
    }

    @Test("A correlation makes consecutive losses as likely as specified") func correlatesNeighboursAsSaid() throws {
        // The expected fraction is 0.3 + 0.7 * 0.1 with a correlation of 30 %, and 0.1 without correlation.
        #expect(abs(try repeats("loss 10% 30%").share - 0.37) < 0.02)
        #expect(abs(try repeats("loss 10%").share - 0.1) < 0.02)
    }

    @Test("gemodel loses packets in bursts of the expected length") func losesInBursts() throws {
        #expect(abs(try repeats("loss gemodel 1% 25%").bursts - 4) < 0.3)
    }

    @Test("gemodel applies all four of its probabilities") func gilbertElliottTakesItsFourNumbers() throws {
        var line = try PacketLine("loss gemodel 50% 50% 100% 100%")
        #expect(line.play(1000).allSatisfy { $0.loss == .loss })
        var harmless = try PacketLine("loss gemodel 50% 50% 0% 0%")
        #expect(harmless.play(1000).allSatisfy { $0.loss == nil })
    }

    @Test("Packets have the same fates with the same seed and direction, and other fates otherwise")
    func repeatsBySeed() throws {
        let terms = "loss 5% 20% duplicate 3% corrupt 2% reorder 10% delay 20ms 10ms 25% rate 10mbit"
        var first = try PacketLine(terms, seed: 7)
        var second = try PacketLine(terms, seed: 7)
        var other = try PacketLine(terms, seed: 8)
        var otherWay = try PacketLine(terms, seed: 7, name: "down")
        let fates = first.play(5000)
        #expect(second.play(5000) == fates)
        #expect(other.play(5000) != fates)
        #expect(otherWay.play(5000) != fates)
    }

    @Test("Adding other faults does not change which packets are lost") func drawsEachKindFromAStreamOfItsOwn() throws {
        var alone = try PacketLine("loss 5%")
        var among = try PacketLine(
            "loss 5% duplicate 20% corrupt 9% delay 9ms 5ms reorder 10% drop 3,50-60 limit 100000"
        )
        let plan = alone.play(3000).map { $0.loss == .loss }
        let fates = among.play(3000)
        for (place, fate) in fates.enumerated() where fate.loss != .drop {
            #expect((fate.loss == .loss) == plan[place], "packet \(place + 1)")
        }
    }

    @Test(
        "Adding loss does not change the fates of the packets that are not lost",
        arguments: ["drop 3,50-60,900", "loss 20%", "loss 5% 30% drop 7-99"]
    )
    func lossesMoveNoOtherFate(_ losses: String) throws {
        let terms = "duplicate 20% corrupt 9% 20% delay 9ms 5ms 25% reorder 10% gap 3 limit 100000"
        var whole = try PacketLine(terms)
        var lossy = try PacketLine("\(terms) \(losses)")
        let (plan, fates) = (whole.play(3000), lossy.play(3000))
        #expect(fates.contains { $0.loss != nil })
        #expect(zip(plan, fates).count { $1.loss == nil && $0 != $1 } == 0)
    }

    @Test("The fate of a packet does not depend on the sending rate") func doesNotDependOnTime() throws {
        let terms = "loss 5% 20% duplicate 3% corrupt 2% reorder 10% gap 3 delay 20ms 10ms 25% limit 100000"
        var slow = try PacketLine(terms)
        var fast = try PacketLine(terms)
        let pace = TimeSpan.microseconds(3)
        for (place, (left, right)) in zip(slow.play(3000, every: .seconds(1)), fast.play(3000, every: pace))
            .enumerated()
        {
            let (came, cameFast) = (
                Instant.zero + TimeSpan.seconds(1) * Int64(place), Instant.zero + pace * Int64(place)
            )
            #expect(left.loss == right.loss)
            #expect(left.copies.map { $0.due - came } == right.copies.map { $0.due - cameFast })
            #expect(left.copies.map(\.corruptedBit) == right.copies.map(\.corruptedBit))
        }
    }

    @Test("'drop' loses exactly the packets with the given numbers") func dropsByNumber() throws {
        var line = try PacketLine("drop 1,4-6")
        let fates = line.play(8)
        #expect(fates.filter { $0.loss == .drop }.map(\.number) == [1, 4, 5, 6])
        #expect((line.counts.dropped, line.counts.lost) == (4, 0))
    }

    // MARK: - Duplicates

    @Test("'duplicate' delivers a packet twice") func duplicates() throws {
        var line = try PacketLine("duplicate 100% delay 10ms")
        let fate = line.arrive(packet(1), at: .zero)
        #expect(fate.copies == [.init(due: milliseconds(10)), .init(due: milliseconds(10))])
        #expect(line.drain().map { number(of: $0.packet) } == [1, 1])
        #expect((line.counts.duplicated, line.counts.arrived, line.counts.delivered) == (1, 1, 2))
    }

    @Test("A lost packet is not duplicated") func aLostPacketHasNoDuplicate() throws {
        var line = try PacketLine("duplicate 100% loss 100%")
        #expect(line.play(10).allSatisfy { $0.copies.isEmpty })
        #expect(line.counts.duplicated == 0)
    }

    @Test("'corrupt' flips one bit anywhere in the packet") func corruptsOneBit() throws {
        var line = try PacketLine("corrupt 100%")
        var places: Set<Int> = []
        for index in 1...500 {
            let fate = line.arrive(packet(index), at: .zero)
            let left = line.depart(at: .zero)
            let arrived = try #require(left)
            let bits = zip(arrived, packet(index)).map { ($0 ^ $1).nonzeroBitCount }
            #expect(bits.reduce(0, +) == 1)
            let bit = try #require(fate.copies.first?.corruptedBit)
            #expect(bits[bit / 8] == 1)
            places.insert(bit)
        }
        #expect(places.count > 300, "over the whole packet: \(places.count) of 800 places")
    }

    // MARK: - Order

    @Test("A reordered packet overtakes the delayed packets") func reorderedPacketsOvertakeTheDelayed() throws {
        var line = try PacketLine("delay 50ms reorder 100% gap 3")
        for index in 1...6 { _ = line.arrive(packet(index), at: milliseconds(Int64(index))) }
        let arrivals = line.drain()
        #expect(arrivals.map { number(of: $0.packet) } == [3, 6, 1, 2, 4, 5])
        #expect(arrivals.map(\.at) == [3, 6, 51, 52, 54, 55].map(milliseconds))
        #expect(line.counts.reordered == 2)
    }

    @Test("'reorder' lets the given share of packets overtake earlier ones") func reordersByChance() throws {
        var line = try PacketLine("delay 50ms reorder 25%")
        let reordered = line.play(40_000).count { $0.copies.first?.isReordered == true }
        #expect(abs(reordered - 10_000) < 600, "\(reordered)")
    }

    @Test("With a gap of 5, reordered packets are at least five packets apart")
    func aGapMakesOnlyTheLastOfSoManyCandidates() throws {
        var line = try PacketLine("delay 50ms reorder 50% gap 5")
        var since = 0
        for fate in line.play(2000) {
            since += 1
            guard fate.copies[0].isReordered else { continue }
            #expect(since >= 5)
            since = 0
        }
        #expect(line.counts.reordered > 100)
    }

    @Test("jitter reorders packets unless 'ordered' or a rate prevents it") func jitterReorders() throws {
        func order(_ terms: String) throws -> [Int] {
            var line = try PacketLine(terms)
            for index in 1...500 { _ = line.arrive(packet(index), at: milliseconds(Int64(index))) }
            return line.drain().map { number(of: $0.packet) }
        }
        #expect(try order("delay 20ms 15ms") != Array(1...500))
        #expect(try order("delay 20ms 15ms ordered") == Array(1...500))
        #expect(try order("delay 20ms 15ms rate 100mbit") == Array(1...500))
    }

    // MARK: - Delays

    private func delays(_ terms: String, _ count: Int = 20_000) throws -> [Double] {
        var line = try PacketLine(terms)
        return line.play(count, every: .seconds(10)).enumerated().map { place, fate in
            Double((fate.copies[0].due - (Instant.zero + TimeSpan.seconds(10) * Int64(place))).nanoseconds) / 1e6
        }
    }

    @Test("Uniform jitter is spread evenly to both sides of the delay") func jitterIsEvenToBothSides() throws {
        let delays = try self.delays("delay 100ms 10ms")
        #expect(delays.allSatisfy { 90...110 ~= $0 })
        #expect(abs(delays.reduce(0, +) / Double(delays.count) - 100) < 0.3)
        #expect(delays.count { $0 < 92 } > 1600 && delays.count { $0 > 108 } > 1600)
    }

    @Test("The standard deviation of normal jitter is the given jitter")
    func normalJitterIsAStandardDeviation() throws {
        let delays = try self.delays("delay 100ms 10ms distribution normal")
        let mean = delays.reduce(0, +) / Double(delays.count)
        let variance = delays.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(delays.count)
        #expect(abs(mean - 100) < 0.5)
        #expect(abs(variance.squareRoot() - 10) < 0.5)
        #expect(delays.contains { $0 > 115 } && delays.contains { $0 < 85 })
    }

    @Test("Correlated jitter makes successive delays similar and keeps their spread")
    func correlatedJitterRepeatsAndKeepsItsSpread() throws {
        let delays = try self.delays("delay 100ms 10ms 40%")
        let repeated = zip(delays, delays.dropFirst()).count { $0 == $1 }
        #expect(abs(repeated - 8000) < 500, "\(repeated)")
        #expect(delays.count { $0 < 92 } > 1500)
    }

    @Test("A delay is never negative") func aDelayIsNeverNegative() throws {
        #expect(try delays("delay 1ms 50ms").allSatisfy { $0 >= 0 })
    }

    // MARK: - Rate and limit

    @Test("A rate limit spaces packets by their length") func aRateSpacesPackets() throws {
        // At 8 Mbit/s, transmitting 1000 bytes takes one millisecond.
        var line = try PacketLine("rate 8mbit")
        for index in 1...3 { _ = line.arrive(packet(index, length: 1000), at: .zero) }
        #expect(line.drain().map(\.at) == [1, 2, 3].map(milliseconds))
        _ = line.arrive(packet(4, length: 500), at: milliseconds(10))
        #expect(line.nextDeadline == Instant(nanoseconds: 10_500_000))
    }

    @Test("A rate limit applies after the delay") func aRateComesBehindTheDelay() throws {
        var line = try PacketLine("rate 8mbit delay 20ms")
        for index in 1...2 { _ = line.arrive(packet(index, length: 1000), at: .zero) }
        #expect(line.drain().map(\.at) == [21, 22].map(milliseconds))
    }

    @Test("A reordered packet is not delayed by the rate limit") func reorderedPacketsTakeNoneOfTheRate() throws {
        var line = try PacketLine("rate 8mbit delay 20ms reorder 100% gap 2")
        for index in 1...4 { _ = line.arrive(packet(index, length: 1000), at: .zero) }
        let arrivals = line.drain()
        #expect(arrivals.map { number(of: $0.packet) } == [2, 4, 1, 3])
        #expect(arrivals.map(\.at) == [0, 0, 21, 22].map(milliseconds))
    }

    @Test("Packets beyond the queue limit are lost and counted") func moreThanTheLimitIsLost() throws {
        var line = try PacketLine("delay 10ms limit 3")
        let fates = (1...5).map { line.arrive(packet($0), at: .zero) }
        #expect(fates.map(\.loss) == [nil, nil, nil, .limit, .limit])
        #expect((line.waiting, line.counts.overLimit) == (3, 2))
        #expect(line.counts.summary.hasSuffix(": 2 over the limit (40.0 %), 3 still in transit (60.0 %)"))
        #expect(line.counts.json["under_way"] == 3)
        #expect(line.drain().map { number(of: $0.packet) } == [1, 2, 3])
        #expect(line.counts.json["under_way"] == 0)
        #expect(line.arrive(packet(6), at: milliseconds(20)).loss == nil)
    }

    @Test("When only one place is free in the queue, the duplicate is lost and the packet is not")
    func aDuplicateBeyondTheLimitIsLostAlone() throws {
        var line = try PacketLine("delay 10ms duplicate 100% limit 1")
        let fate = line.arrive(packet(1), at: .zero)
        #expect((fate.copies.count, fate.loss) == (1, .limit))
        #expect(line.drain().count == 1)
    }

    @Test("Arrivals and duplicates add up to deliveries and losses") func everyPacketIsAccountedFor() throws {
        var line = try PacketLine("loss 10% duplicate 10% corrupt 5% reorder 10% delay 20ms 10ms limit 15 drop 7-9")
        _ = line.play(10_000)
        #expect(line.waiting > 0 && line.counts.queued == UInt64(line.waiting))
        _ = line.drain()
        let counts = line.counts
        #expect(counts.overLimit > 0 && counts.duplicated > 0)
        #expect(
            counts.arrived + counts.duplicated == counts.delivered + counts.lost + counts.dropped + counts.overLimit
        )
        #expect(line.waiting == 0)
    }

    @Test("An empty packet is delivered despite corrupt and rate") func anEmptyPacketIsNoTrouble() throws {
        var line = try PacketLine("corrupt 100% rate 1bit")
        _ = line.arrive([], at: .zero)
        #expect(line.depart(at: .zero) == [])
    }

    @Test("The slowest possible rate does not overflow") func theSlowestRateDoesNotOverflow() throws {
        var line = try PacketLine("rate 1bit limit 1000000")
        for _ in 0..<100_000 { _ = line.arrive([UInt8](repeating: 1, count: 65_535), at: .never) }
        #expect(line.nextDeadline == .never)
    }
}
