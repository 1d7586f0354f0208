import SquallCore
import Testing

@testable import FakeServer

@Suite struct DeadlineQueueTests {
    @Test("Tasks are taken in order of deadline, and in insertion order if deadlines are equal")
    func tasksComeInOrder() {
        var generator = Seed(3).stream("agenda")
        var agenda = DeadlineQueue<Int>()
        var expected: [(due: Instant, task: Int)] = []
        for task in 0..<500 {
            let due = Instant(nanoseconds: Int64(generator.below(20)))
            agenda.add(task, at: due)
            expected.append((due, task))
        }
        expected.sort { ($0.due, $0.task) < ($1.due, $1.task) }
        #expect(agenda.next == expected.first?.due)
        var taken: [Int] = []
        for time in 0..<20 {
            while let task = agenda.take(at: Instant(nanoseconds: Int64(time))) { taken.append(task) }
            if let next = agenda.next { #expect(next > Instant(nanoseconds: Int64(time))) }
        }
        #expect(taken == expected.map(\.task))
        #expect(agenda.next == nil)
    }

    @Test("A removed task is not taken") func tasksCanBeRemoved() {
        var agenda = DeadlineQueue<Int>()
        for task in 0..<6 { agenda.add(task, at: .zero) }
        agenda.remove { $0.isMultiple(of: 2) }
        var taken: [Int] = []
        while let task = agenda.take(at: .zero) { taken.append(task) }
        #expect(taken == [1, 3, 5])
    }
}
