import SquallCore
import Testing

@Suite struct TimeSpanTests {
    private let lowest = TimeSpan(nanoseconds: .min)

    @Test(
        "A time span is printed exactly, in a single unit",
        arguments: [
            (0, "0s"),
            (1, "1ns"),
            (-1, "-1ns"),
            (999, "999ns"),
            (1_000, "1us"),
            (1_001, "1.001us"),
            (1_500, "1.5us"),
            (250_000_000, "250ms"),
            (1_000_000, "1ms"),
            (1_000_500, "1000.5us"),
            (2_500_000, "2.5ms"),
            (100_000_000, "100ms"),
            (1_000_000_000, "1s"),
            (1_500_000_000, "1.5s"),
            (1_050_000_000, "1.05s"),
            (1_001_000_000, "1.001s"),
            (1_000_001_000, "1000.001ms"),
            (1_000_000_001, "1000000.001us"),
            (12_400_000_000, "12.4s"),
            (59_000_000_000, "59s"),
            (60_000_000_000, "1m"),
            (61_000_000_000, "61s"),
            (90_000_000_000, "90s"),
            (90_500_000_000, "90.5s"),
            (600_000_000_000, "10m"),
            (3_600_000_000_000, "1h"),
            (5_400_000_000_000, "90m"),
            (86_400_000_000_000, "24h"),
            (-250_000_000, "-250ms"),
            (-1_500_000_000, "-1.5s"),
            (-3_600_000_000_000, "-1h"),
            (.max, "forever"),
            (.max - 1, "9223372036854775.806us"),
            (.min, "-9223372036854775.808us"),
        ] as [(Int64, String)]
    )
    func descriptions(_ nanoseconds: Int64, _ text: String) {
        #expect(TimeSpan(nanoseconds: nanoseconds).description == text)
    }

    @Test("A time span created from units saturates instead of overflowing")
    func units() {
        #expect(TimeSpan.seconds(2) == .milliseconds(2000))
        #expect(TimeSpan.milliseconds(3) == .microseconds(3000))
        #expect(TimeSpan.microseconds(-4) == TimeSpan(nanoseconds: -4000))
        #expect(TimeSpan.seconds(.max) == .forever)
        #expect(TimeSpan.seconds(.min) == lowest)
        #expect(TimeSpan.seconds(9_223_372_037) == .forever)
        #expect(TimeSpan.seconds(9_223_372_036) == TimeSpan(nanoseconds: 9_223_372_036_000_000_000))
    }

    @Test("Spans are added and subtracted exactly and saturate at the ends")
    func sums() {
        let one = TimeSpan(nanoseconds: 1)
        #expect(TimeSpan.seconds(1) + .milliseconds(500) == .milliseconds(1500))
        #expect(TimeSpan.seconds(1) - .milliseconds(1500) == .milliseconds(-500))
        #expect(TimeSpan.forever + one == .forever)
        #expect(TimeSpan.forever - TimeSpan(nanoseconds: -1) == .forever)
        #expect(lowest - one == lowest)
        #expect(lowest + TimeSpan(nanoseconds: -1) == lowest)
        #expect(lowest + .forever == TimeSpan(nanoseconds: -1))
        #expect(.zero - lowest == .forever)
        #expect(TimeSpan(nanoseconds: -1) - lowest == .forever)
        #expect(TimeSpan(nanoseconds: -2) - lowest == TimeSpan(nanoseconds: .max - 1))
        #expect(lowest - lowest == .zero)
    }

    @Test("Spans are multiplied exactly and saturate towards the product's sign")
    func products() {
        #expect(TimeSpan.milliseconds(250) * 4 == .seconds(1))
        #expect(TimeSpan.milliseconds(250) * -4 == .seconds(-1))
        #expect(TimeSpan.forever * 0 == .zero)
        #expect(TimeSpan.forever * 2 == .forever)
        #expect(TimeSpan.forever * -2 == lowest)
        #expect(TimeSpan.seconds(-5_000_000_000) * 2 == lowest)
        #expect(TimeSpan.seconds(-5_000_000_000) * -2 == .forever)
        #expect(lowest * -1 == .forever)
    }

    @Test("Spans are ordered by length")
    func order() {
        #expect(
            [.seconds(1), lowest, .forever, .zero, .milliseconds(-1)].sorted()
                == [lowest, .milliseconds(-1), .zero, .seconds(1), .forever] as [TimeSpan]
        )
    }
}
