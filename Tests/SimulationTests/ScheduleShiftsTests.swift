import Foundations
import Testing

@testable import Simulation

@Suite struct ScheduleShiftsTests {
    private let tolerance = TimeSpan.milliseconds(20)

    private func draws(_ count: Int, seed: UInt64 = 1, _ shape: ScheduleShifts.Shape = .uneven) -> [TimeSpan] {
        var shifts = ScheduleShifts(seed: Seed(seed), tolerance: tolerance, shape: shape)
        return (0..<count).map { _ in shifts.shifted(.zero) }
    }

    @Test func anIdealRunShiftsNothing() {
        var shifts = ScheduleShifts.none
        #expect(shifts.shifted(.milliseconds(3)) == .milliseconds(3))
        #expect(shifts.tie() == 0)
    }

    @Test(arguments: ScheduleShifts.Shape.allCases)
    func nothingIsEarlyOrLaterThanTheTolerance(_ shape: ScheduleShifts.Shape) {
        #expect(draws(10_000, shape).allSatisfy { (.zero...tolerance).contains($0) })
    }

    @Test func mostAreLateByLittleAndSomeByMuch() {
        let spans = draws(10_000)
        let small = spans.count { $0 < .milliseconds(2) }
        let large = spans.count { $0 > .milliseconds(10) }
        #expect(small > 7000)
        #expect(large > 1000)
    }

    /// A way of four hops overtakes one of two in many schedules, not only in the rare ones where all four are quick.
    @Test func theLongerWayIsOftenTheQuickerOne() {
        func overtaken(_ shape: ScheduleShifts.Shape) -> Int {
            (UInt64(0)..<1000).count { seed in
                let spans = draws(6, seed: seed, shape)
                return spans[..<4].reduce(TimeSpan.zero, +) < spans[4...].reduce(TimeSpan.zero, +)
            }
        }
        #expect(overtaken(.uneven) > 200)
        #expect(overtaken(.even) < 150)
    }
}
