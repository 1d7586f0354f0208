import SquallCore
import Testing

@testable import Simulation

@Suite struct ScheduleShiftsTests {
    private let tolerance = TimeSpan.milliseconds(20)

    private func draws(_ count: Int, seed: UInt64 = 1, _ shape: ScheduleShifts.Shape = .uneven) -> [TimeSpan] {
        var shifts = ScheduleShifts(seed: Seed(seed), tolerance: tolerance, shape: shape)
        return (0..<count).map { _ in shifts.shifted(.zero) }
    }

    @Test("A schedule without shifts delays nothing")
    func anIdealRunShiftsNothing() {
        var shifts = ScheduleShifts.none
        #expect(shifts.shifted(.milliseconds(3)) == .milliseconds(3))
        #expect(shifts.tie() == 0)
    }

    @Test("Every delay of a schedule is between zero and the tolerance", arguments: ScheduleShifts.Shape.allCases)
    func nothingIsEarlyOrLaterThanTheTolerance(_ shape: ScheduleShifts.Shape) {
        #expect(draws(10_000, shape).allSatisfy { (.zero...tolerance).contains($0) })
    }

    @Test("Most delays of a schedule are small, and some are large")
    func mostAreLateByLittleAndSomeByMuch() {
        let spans = draws(10_000)
        let small = spans.count { $0 < .milliseconds(2) }
        let large = spans.count { $0 > .milliseconds(10) }
        #expect(small > 7000)
        #expect(large > 1000)
    }

    /// In many schedules, a path of four hops is faster than one of two, and not only if all four are fast.
    @Test("In uneven schedules a path of four hops is often faster than a path of two")
    func theLongerWayIsOftenTheQuickerOne() {
        func overtaken(_ shape: ScheduleShifts.Shape) -> Int {
            (UInt64(0)..<1000).count { seed in
                let spans = draws(6, seed: seed, shape)
                return spans[..<4].reduce(TimeSpan.zero, +) < spans[4...].reduce(TimeSpan.zero, +)
            }
        }
        #expect(overtaken(.uneven) > 200)
        #expect(overtaken(.even) < 150)
    }

    /// Removed draws cause no delay; the remaining ones cause the same delay as before.
    @Test("Removing some draws from a schedule does not change the delays of the others")
    func drawsKeepTheirLatenessWhereOthersAreLeftOut() {
        let whole = draws(6, .even)
        var shifts = ScheduleShifts(seed: Seed(1), tolerance: tolerance)
            .keeping(ActiveDraws(below: 4, limits: [8: tolerance, 10: .microseconds(1)]))
        let kept = (0..<6).map { _ in shifts.shifted(.zero) }
        #expect(kept == [whole[0], whole[1], .zero, .zero, whole[4], .microseconds(1)])
    }

    @Test("Timers and deliveries have independent draws")
    func timersHaveDrawsOfTheirOwn() {
        let schedule = ScheduleShifts(seed: Seed(1), tolerance: tolerance).keeping(
            ActiveDraws(below: 0, limits: [1: tolerance])
        )
        var (deliveries, timers) = (schedule, schedule.ofTimers)
        #expect(deliveries.shifted(.zero) == .zero)
        #expect(timers.shifted(.zero) > .zero)
    }

    /// Slight schedules imitate an idle machine, on which hops are fast. Half of them shorten hops and change nothing
    /// else.
    @Test("Slight schedules make hops faster and delay almost nothing")
    func slightSchedulesHaveQuickerHopsAndShiftNearlyNothing() {
        let hop = TimeSpan.microseconds(100)
        let first = (UInt64(0)..<200).map { seed in
            var shifts = ScheduleShifts(seed: Seed(seed), tolerance: tolerance, shape: .slight)
            return (span: shifts.shifted(hop), timer: shifts.shifted(.zero), tie: shifts.tie())
        }
        #expect(first.allSatisfy { $0.timer <= .microseconds(625) && $0.span <= hop + .microseconds(625) })
        #expect(first.count { $0.span < .microseconds(50) } > 40)
        let steady = first.filter { $0.timer == .zero }
        #expect((60...140).contains(steady.count))
        #expect(steady.allSatisfy { $0.tie == 0 && $0.span <= hop })
    }
}
