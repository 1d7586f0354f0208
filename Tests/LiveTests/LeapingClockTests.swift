import Foundations
import Testing

@testable import Live

@Suite struct LeapingClockTests {
    @Test func realTimeAndLeapsAddUp() {
        var clock = LeapingClock(startingAt: .seconds(1000))
        #expect(clock.now(.seconds(1000)) == .zero)
        #expect(clock.now(.milliseconds(1_000_250)) == .milliseconds(250))
        clock.leap(to: .seconds(60), .seconds(1001))
        #expect(clock.now(.seconds(1001)) == .seconds(60))
        #expect(clock.now(.seconds(1002)) == .seconds(61))
        #expect(clock.leapt == .seconds(59))
    }

    @Test func itNeverLeapsBack() {
        var clock = LeapingClock(startingAt: .zero)
        clock.leap(to: .seconds(1), .seconds(5))
        #expect(clock.now(.seconds(5)) == .seconds(5))
        #expect(clock.leapt == .zero)
    }

    @Test func itKnowsWhenAnInstantComesByItself() {
        var clock = LeapingClock(startingAt: .seconds(100))
        clock.leap(to: .seconds(30), .seconds(101))
        #expect(clock.uptime(of: .seconds(40)) == .seconds(111))
    }
}
