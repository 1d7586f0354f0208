import SquallCore
import Testing

@testable import Live

@Suite struct LeapingClockTests {
    @Test("The clock shows real time plus the sum of its leaps") func realTimeAndLeapsAddUp() {
        var clock = LeapingClock(startingAt: .seconds(1000))
        #expect(clock.read(.seconds(1000)) == .zero)
        #expect(clock.read(.milliseconds(1_000_250)) == .milliseconds(250))
        clock.leap(to: .seconds(60))
        #expect(clock.read(.milliseconds(1_000_250)) == .seconds(60))
        #expect(clock.read(.milliseconds(1_001_250)) == .seconds(61))
        #expect(clock.leapt == .milliseconds(59_750))
    }

    @Test("The clock never goes back") func itNeverGoesBack() {
        var clock = LeapingClock(startingAt: .zero)
        clock.read(.seconds(5))
        clock.leap(to: .seconds(1))
        #expect(clock.now == .seconds(5))
        #expect(clock.leapt == .zero)
        #expect(clock.read(.seconds(4)) == .seconds(5))
        #expect(clock.read(.seconds(5)) == .seconds(5))
    }

    @Test("One turn of the event loop advances the clock by at most a fixed limit")
    func aTurnCountsForItsLimitAtMost() {
        var clock = LeapingClock(startingAt: .zero, turnLimit: .milliseconds(1))
        clock.beginTurn()
        #expect(clock.read(.zero + .microseconds(400)) == .zero + .microseconds(400))
        #expect(clock.read(.seconds(2)) == .milliseconds(1))
        #expect(clock.read(.seconds(3)) == .milliseconds(1))
        clock.beginTurn()
        #expect(clock.read(.seconds(3)) == .milliseconds(1))
        #expect(clock.read(.seconds(3) + .microseconds(10)) == .milliseconds(1) + .microseconds(10))
        clock.leap(to: .seconds(9))
        #expect(clock.read(.seconds(9)) == .seconds(9) + .microseconds(990))
    }

    @Test(
        "A held clock does not count the time until it is resumed",
        arguments: [nil, TimeSpan.milliseconds(500)]
    )
    func standing(_ turnLimit: TimeSpan?) {
        var clock = LeapingClock(startingAt: .seconds(100), turnLimit: turnLimit)
        clock.read(.milliseconds(100_250))
        clock.setStopped(true, at: .milliseconds(100_300))
        #expect(clock.read(.seconds(900)) == .milliseconds(250))
        clock.setStopped(false, at: .seconds(1000))
        #expect(clock.read(.milliseconds(1_000_100)) == .milliseconds(350))
    }

    @Test("uptime(of:) returns the real time at which the clock reaches an instant without a leap")
    func uptimeOfAnInstant() {
        var clock = LeapingClock(startingAt: .seconds(100))
        clock.read(.seconds(101))
        clock.leap(to: .seconds(30))
        #expect(clock.uptime(of: .seconds(40)) == .seconds(111))
    }

    @Test("Network hops are short, and become long after many of them without a leap")
    func hops() {
        var hops = NetworkHops()
        let first = (0..<NetworkHops.shortHops).map { _ in hops.next() }
        #expect(first.allSatisfy { $0 == NetworkHops.short })
        #expect(hops.next() == NetworkHops.long && hops.next() == NetworkHops.long)
        #expect(NetworkHops.short < NetworkHops.long)
    }
}
