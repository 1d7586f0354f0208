import SquallCore
import Testing

@testable import ScenarioModel

@Suite struct DeadlinesTests {
    private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    @Test("With no deadline set, the first deadline is never")
    func withoutDeadlinesTheFirstIsNever() {
        #expect(Deadlines(count: 3).first.time == .never)
        #expect(Deadlines(count: 0).first.time == .never)
    }

    @Test("The earliest deadline is first, and equal deadlines are ordered by index")
    func theEarliestIsFirstAndOfSeveralTheLowest() {
        var deadlines = Deadlines(count: 3)
        deadlines.set(2, to: at(5))
        #expect(deadlines.first == (2, at(5)))
        deadlines.set(1, to: at(5))
        #expect(deadlines.first == (1, at(5)))
        deadlines.set(2, to: at(4))
        #expect(deadlines.first == (2, at(4)))
    }

    @Test("A postponed deadline is no longer first")
    func aPostponedDeadlineIsNoLongerFirst() {
        var deadlines = Deadlines(count: 3)
        deadlines.set(0, to: at(1))
        deadlines.set(2, to: at(2))
        deadlines.set(1, to: at(2))
        deadlines.set(0, to: at(3))
        #expect(deadlines.first == (1, at(2)))
        deadlines.set(1, to: .never)
        #expect(deadlines.first == (2, at(2)))
    }

    /// Compares the first deadline reported with the result of a search through all deadlines.
    @Test("The first deadline is the earliest after any sequence of changes")
    func theFirstIsAlwaysTheFirst() {
        var generator = SeededGenerator(state: 7)
        var deadlines = Deadlines(count: 5)
        var times = [Instant](repeating: .never, count: 5)
        for _ in 0..<2000 {
            let index = Int(generator.below(5))
            let draw = Int64(generator.below(8))
            times[index] = draw == 0 ? .never : at(draw)
            deadlines.set(index, to: times[index])
            let earliest = times.min() ?? .never
            #expect(deadlines.first.time == earliest)
            if earliest != .never { #expect(deadlines.first.index == times.firstIndex(of: earliest)) }
        }
    }
}
