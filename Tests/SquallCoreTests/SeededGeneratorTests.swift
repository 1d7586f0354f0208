import SquallCore
import Testing

@Suite struct SeededGeneratorTests {
    private func draws(_ count: Int, _ generator: SeededGenerator) -> [UInt64] {
        var generator = generator
        return (0..<count).map { _ in generator.next() }
    }

    @Test("The generator produces the reference output of SplitMix64")
    func vectors() {
        #expect(
            draws(5, SeededGenerator(state: 0)) == [
                0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F, 0xF88B_B8A8_724C_81EC,
                0x1B39_896A_51A8_749B,
            ]
        )
        #expect(
            draws(5, SeededGenerator(state: 1_234_567)) == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ]
        )
    }

    @Test(
        "A random number below a bound takes every value from zero to one less than the bound",
        arguments: [1, 2, 3, 7, 10] as [UInt64]
    )
    func below(_ bound: UInt64) {
        var generator = SeededGenerator(state: 42)
        var counts = [UInt64: Int]()
        for _ in 0..<10_000 { counts[generator.below(bound), default: 0] += 1 }
        #expect(counts.keys.sorted() == Array(0..<bound))
        // Each count may differ from the mean of a uniform distribution by up to five standard deviations.
        let mean = 10_000 / Double(bound)
        let deviation = (mean * (1 - 1 / Double(bound))).squareRoot()
        for count in counts.values { #expect(abs(Double(count) - mean) <= 5 * deviation) }
    }

    @Test("A random number below zero is 0, and one below the largest bound covers the full range")
    func extremeBounds() {
        var generator = SeededGenerator(state: 7)
        let untouched = generator
        let none = generator.below(0)
        #expect(none == 0)
        #expect(generator == untouched)
        let many = (0..<1000).map { _ in generator.below(.max) }
        #expect(many.contains { $0 > .max / 100 * 99 })
    }

    @Test("A random span takes every value in its range, including both ends")
    func spans() {
        var generator = SeededGenerator(state: 3)
        let (low, high) = (TimeSpan(nanoseconds: -2), TimeSpan(nanoseconds: 2))
        let drawn = Set((0..<1000).map { _ in generator.span(from: low, through: high).nanoseconds })
        #expect(drawn.sorted() == [-2, -1, 0, 1, 2])
        let backoff = (0..<1000).map { _ in generator.span(from: .seconds(1), through: .milliseconds(1250)) }
        #expect(backoff.allSatisfy { $0 >= .seconds(1) && $0 <= .milliseconds(1250) })
        #expect(Set(backoff).count == 1000)
    }

    @Test("An empty range gives its lower bound without consuming a random number")
    func emptySpans() {
        var generator = SeededGenerator(state: 3)
        let untouched = generator
        let single = generator.span(from: .seconds(5), through: .seconds(5))
        #expect(single == .seconds(5))
        let empty = generator.span(from: .seconds(5), through: .seconds(4))
        #expect(empty == .seconds(5))
        #expect(generator == untouched)
    }

    @Test("Random spans from the widest ranges are evenly distributed")
    func widestSpans() {
        let lowest = TimeSpan(nanoseconds: .min)
        let ranges: [(TimeSpan, TimeSpan)] = [
            (lowest, .forever), (TimeSpan(nanoseconds: -.max), .forever), (lowest, .zero),
        ]
        for (low, high) in ranges {
            var generator = SeededGenerator(state: 9)
            let drawn = (0..<1000).map { _ in generator.span(from: low, through: high) }
            #expect(drawn.allSatisfy { $0 >= low && $0 <= high })
            let middle = TimeSpan(nanoseconds: low.nanoseconds / 2 + high.nanoseconds / 2)
            #expect((400...600).contains(drawn.count { $0 > middle }))
        }
    }

    @Test("A random decision is true with the frequency given by the ratio")
    func chance() throws {
        var generator = SeededGenerator(state: 11)
        let quarter = try #require(Ratio(1, of: 4))
        let hits = (0..<10_000).count { _ in generator.chance(quarter) }
        #expect((2300...2700).contains(hits))
        let certain = (0..<1000).count { _ in generator.chance(.always) }
        #expect(certain == 1000)
        let impossible = (0..<1000).count { _ in generator.chance(.never) }
        #expect(impossible == 0)
    }

    @Test("A random decision consumes one random number for every ratio")
    func chanceDraws() throws {
        let ratios = try [.never, .always, #require(Ratio(1, of: 20))]
        for ratio in ratios {
            var generator = SeededGenerator(state: 1)
            _ = generator.chance(ratio)
            let second = generator.next()
            #expect(second == draws(2, SeededGenerator(state: 1))[1])
        }
    }

    @Test("Every purpose and every client has its own reproducible random stream")
    func streams() {
        let seed = Seed(42)
        let streams = [
            seed.stream("latency"),
            seed.stream("backoff"),
            seed.stream("backof"),
            seed.stream(""),
            seed.stream("backoff", for: .only),
            seed.stream("backoff", for: ClientID("anna")),
            seed.stream("backoff", for: ClientID("ben")),
            seed.stream("backoff", for: ClientID("")),
            // Stream and client names must not simply be concatenated: these streams must also differ.
            seed.stream("backoff/anna"),
            seed.stream("backoffanna"),
            seed.stream("backoff/", for: ClientID("anna")),
            seed.stream("backoff", for: ClientID("/anna")),
            Seed(43).stream("latency"),
            Seed(0).stream("latency"),
        ]
        // No two streams share a value, even at different positions.
        let all = streams.flatMap { draws(100, $0) }
        #expect(Set(all).count == all.count)
        #expect(draws(100, Seed(42).stream("latency")) == draws(100, streams[0]))
    }

    @Test("The random streams of neighbouring seeds and clients are uncorrelated")
    func similarValues() {
        let left = draws(1000, Seed(1).stream("a", for: ClientID("1")))
        for other in [Seed(1).stream("a", for: ClientID("2")), Seed(2).stream("a", for: ClientID("1"))] {
            let equalBits = zip(left, draws(1000, other)).reduce(0) { $0 + (~($1.0 ^ $1.1)).nonzeroBitCount }
            // Half of the 64,000 bits should be equal; the tolerance is five standard deviations.
            #expect(abs(equalBits - 32_000) < 5 * 127)
        }
    }

    @Test(
        "FNV-1a gives the published hash of known bytes",
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325),
            ("a", 0xAF63_DC4C_8601_EC8C),
            ("foobar", 0x8594_4171_F739_67E8),
        ] as [(String, UInt64)]
    )
    func digests(_ text: String, _ expected: UInt64) {
        var digest = FNV1a()
        for byte in text.utf8 { digest.combine(byte) }
        #expect(digest.value == expected)
    }

    @Test("A hash of words depends on their order and on every bit")
    func words() {
        func digest(_ words: UInt64...) -> UInt64 {
            var digest = FNV1a()
            for word in words { digest.combine(word) }
            return digest.value
        }
        let values =
            (0..<64).map { digest(1 << UInt64($0), 0) } + (0..<64).map { digest(0, 1 << UInt64($0)) }
            + [digest(0, 0), digest(0), digest(), digest(0, 0, 0)]
        #expect(Set(values).count == values.count)
    }
}
