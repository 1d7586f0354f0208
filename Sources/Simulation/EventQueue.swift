package import Foundations

/// What is still to happen, earliest first; what falls on one instant in the order it was put in.
///
/// A binary heap ordered by (time, tie, sequence). `tie` is 0 in an ideal run; a shifted run draws it, to permute ties.
package struct EventQueue<Event> {
    @usableFromInline
    struct Entry {
        @usableFromInline var time: Instant
        @usableFromInline var tie: UInt64
        @usableFromInline var sequence: UInt64
        @usableFromInline var event: Event

        @inlinable
        init(time: Instant, tie: UInt64, sequence: UInt64, event: Event) {
            self.time = time
            self.tie = tie
            self.sequence = sequence
            self.event = event
        }
    }

    @usableFromInline var heap: [Entry] = []
    @usableFromInline var nextSequence: UInt64 = 0

    @inlinable
    package init() {}

    @inlinable
    package var nextTime: Instant? { heap.first?.time }

    @inlinable
    package mutating func push(_ event: Event, at time: Instant, tie: UInt64 = 0) {
        heap.append(Entry(time: time, tie: tie, sequence: nextSequence, event: event))
        nextSequence += 1
        siftUp(heap.count - 1)
    }

    @inlinable
    package mutating func pop() -> (time: Instant, event: Event)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            siftDown(0)
        }
        return (first.time, first.event)
    }

    @inlinable
    func precedes(_ left: Int, _ right: Int) -> Bool {
        let (left, right) = (heap[left], heap[right])
        if left.time != right.time { return left.time < right.time }
        if left.tie != right.tie { return left.tie < right.tie }
        return left.sequence < right.sequence
    }

    @inlinable
    mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard precedes(child, parent) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    @inlinable
    mutating func siftDown(_ start: Int) {
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
