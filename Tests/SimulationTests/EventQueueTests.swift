import SquallCore
import Testing

@testable import Simulation

@Suite struct EventQueueTests {
    private func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    @Test("The queue returns the earliest event first")
    func takesTheEarliestFirst() {
        var queue = EventQueue<Int>()
        for time in [5, 1, 4, 2, 3] { queue.push(time, at: at(Int64(time))) }
        var taken: [Int] = []
        while let (time, event) = queue.pop() {
            #expect(time == at(Int64(event)))
            taken.append(event)
        }
        #expect(taken == [1, 2, 3, 4, 5])
        #expect(queue.nextTime == nil)
    }

    @Test("Events at the same instant keep their order")
    func keepsTheOrderOfWhatFallsOnOneInstant() {
        var queue = EventQueue<Int>()
        for number in 0..<100 { queue.push(number, at: at(7)) }
        #expect((0..<100).compactMap { _ in queue.pop()?.event } == Array(0..<100))
    }

    @Test("Of two events at the same instant, the event with the lower tie value comes first")
    func aTieThatIsDrawnDecidesBeforeTheOrder() {
        var queue = EventQueue<String>()
        queue.push("first", at: at(1), tie: 9)
        queue.push("second", at: at(1), tie: 3)
        #expect(queue.pop()?.event == "second")
    }

    @Test("The queue returns events with random times in the same order as sorting")
    func agreesWithSortingOnRandomTimes() {
        var generator = SeededGenerator(state: 42)
        var queue = EventQueue<Int>()
        var times: [(time: Int64, number: Int)] = []
        for number in 0..<1000 {
            let time = Int64(generator.below(50))
            times.append((time, number))
            queue.push(number, at: at(time))
        }
        let sorted = times.sorted { ($0.time, $0.number) < ($1.time, $1.number) }
        #expect(sorted.allSatisfy { queue.pop()?.event == $0.number })
        #expect(queue.pop() == nil)
    }
}
