import SquallCore
import Testing

@Suite struct RatioTests {
    @Test("A ratio is between 0 and 1")
    func bounds() {
        #expect(Ratio(0, of: 5) != nil)
        #expect(Ratio(5, of: 5) != nil)
        #expect(Ratio(.max, of: .max) != nil)
        #expect(Ratio(6, of: 5) == nil)
        #expect(Ratio(0, of: 0) == nil)
        #expect(Ratio(1, of: 0) == nil)
    }

    @Test("Equal ratios compare as equal, whatever their denominators")
    func equality() {
        #expect(Ratio(5, of: 100) == Ratio(1, of: 20))
        #expect(Ratio(0, of: 100) == .never)
        #expect(Ratio(100, of: 100) == .always)
        #expect(Ratio(1, of: 3) != Ratio(333, of: 1000))
        #expect(Ratio(6, of: 8)?.numerator == 3)
        #expect(Ratio(6, of: 8)?.denominator == 4)
        #expect(Ratio(.max - 1, of: .max)?.denominator == .max)
    }

    @Test("The share of a duration is rounded towards zero and does not overflow")
    func shares() throws {
        let third = try #require(Ratio(1, of: 3))
        #expect(third.of(TimeSpan(nanoseconds: 10)) == TimeSpan(nanoseconds: 3))
        #expect(third.of(TimeSpan(nanoseconds: -10)) == TimeSpan(nanoseconds: -3))
        #expect(third.of(.zero) == .zero)
        #expect(try #require(Ratio(1, of: 4)).of(.seconds(10)) == .milliseconds(2500))
        let nearly = try #require(Ratio(.max - 1, of: .max))
        #expect(nearly.of(.forever) == TimeSpan(nanoseconds: 9_223_372_034_707_292_158))
        for amount in [TimeSpan.forever, TimeSpan(nanoseconds: .min), .seconds(1)] {
            #expect(Ratio.never.of(amount) == .zero)
            #expect(Ratio.always.of(amount) == amount)
        }
    }
}
