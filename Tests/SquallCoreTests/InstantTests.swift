import SquallCore
import Testing

@Suite struct InstantTests {
    private let first = Instant(nanoseconds: .min)

    @Test(
        "An instant is printed in seconds, truncated to three decimals",
        arguments: [
            (0, "0.000"),
            (1, "0.000"),
            (999_999, "0.000"),
            (1_000_000, "0.001"),
            (12_400_000_000, "12.400"),
            (12_045_999_999, "12.045"),
            (600_000_000_000, "600.000"),
            (-1, "0.000"),
            (-1_000_000, "-0.001"),
            (-999_000_000, "-0.999"),
            (-1_000_000_000, "-1.000"),
            (-1_050_000_000, "-1.050"),
            (.max, "never"),
            (.max - 1, "9223372036.854"),
            (.min, "-9223372036.854"),
        ] as [(Int64, String)]
    )
    func descriptions(_ nanoseconds: Int64, _ text: String) {
        #expect(Instant(nanoseconds: nanoseconds).description == text)
    }

    @Test("An instant moves by a span and saturates at both ends")
    func moves() {
        let instant = Instant(nanoseconds: 5)
        let one = TimeSpan(nanoseconds: 1)
        #expect(instant + one == Instant(nanoseconds: 6))
        #expect(instant - one == Instant(nanoseconds: 4))
        #expect(instant + .forever == .never)
        #expect(.never + one == .never)
        #expect(first - one == first)
        #expect(first + TimeSpan(nanoseconds: -1) == first)
        #expect(first + .forever == Instant(nanoseconds: -1))
        #expect(.zero - TimeSpan(nanoseconds: .min) == .never)
        #expect(Instant(nanoseconds: -1) - TimeSpan(nanoseconds: .min) == Instant(nanoseconds: .max))
        #expect(Instant(nanoseconds: -2) - TimeSpan(nanoseconds: .min) == Instant(nanoseconds: .max - 1))
    }

    @Test("The span between two instants may be negative and saturates")
    func differences() {
        #expect(Instant(nanoseconds: 7) - Instant(nanoseconds: 5) == TimeSpan(nanoseconds: 2))
        #expect(Instant(nanoseconds: 5) - Instant(nanoseconds: 7) == TimeSpan(nanoseconds: -2))
        #expect(Instant.never - .zero == TimeSpan.forever)
        #expect(Instant.never - first == TimeSpan.forever)
        #expect(first - Instant.never == TimeSpan(nanoseconds: .min))
    }

    @Test("Instants are sorted by time, and never is last")
    func order() {
        let later = Instant(nanoseconds: 1)
        #expect([.never, .zero, later, first].sorted() == [first, .zero, later, .never])
    }
}
