package import Foundations

/// What is still to happen, earliest first; what falls on one instant in the order it was put in.
///
/// A binary heap ordered by (time, tie, sequence). `tie` is 0 in an ideal run; a shifted run draws it, to permute ties.
package struct EventQueue<Event> {
    private struct Entry {
        var time: Instant
        var tie: UInt64
        var sequence: UInt64
        var event: Event
    }

    private var heap: [Entry] = []
    private var nextSequence: UInt64 = 0

    package init() {}

    package var nextTime: Instant? { heap.first?.time }

    package mutating func push(_ event: Event, at time: Instant, tie: UInt64 = 0) {
        heap.append(Entry(time: time, tie: tie, sequence: nextSequence, event: event))
        nextSequence += 1
        siftUp(heap.count - 1)
    }

    package mutating func pop() -> (time: Instant, event: Event)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            siftDown(0)
        }
        return (first.time, first.event)
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        let (left, right) = (heap[left], heap[right])
        if left.time != right.time { return left.time < right.time }
        if left.tie != right.tie { return left.tie < right.tie }
        return left.sequence < right.sequence
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard precedes(child, parent) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, smallest) {
                smallest = child
            }
            guard smallest != parent else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
