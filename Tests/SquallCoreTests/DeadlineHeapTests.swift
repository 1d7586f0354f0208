import SquallCore
import Testing

@Suite struct DeadlineHeapTests {
    private func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    @Test("The deadline heap returns only due entries, in order of their deadlines")
    func givesOnlyWhatIsDueInOrder() {
        var heap = DeadlineHeap()
        for (number, time) in [(1, 30), (2, 10), (3, 20), (4, 10)] as [(UInt64, Int64)] {
            heap.insert(number, at: at(time))
        }
        #expect(heap.next == at(10))
        #expect(heap.pop(through: at(9)) == nil)
        var due: [UInt64] = []
        while let number = heap.pop(through: at(20)) { due.append(number) }
        #expect(due == [2, 4, 3])
        #expect(heap.next == at(30))
        #expect(heap.pop()?.number == 1)
        #expect(heap.pop() == nil && heap.next == nil)
    }
}
