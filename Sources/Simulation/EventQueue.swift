package import Foundations

/// What is still to happen, earliest first; what falls on one instant in the order it was put in.
///
/// A binary heap ordered by (time, tie, sequence). `tie` is 0 in an ideal run; a shifted run draws it, to permute ties.
package struct EventQueue<Event> {
    /// The events lie still while their entries move.
    private struct Entry {
        var time: Instant
        var tie: UInt64
        var sequence: UInt64
        var slot: Int

        func precedes(_ other: Entry) -> Bool {
            if time < other.time { return true }
            if other.time < time { return false }
            if tie != other.tie { return tie < other.tie }
            return sequence < other.sequence
        }
    }

    private var heap: [Entry] = []
    private var slots: [Event?] = []
    private var free: [Int] = []
    private var nextSequence: UInt64 = 0

    package init() {}

    package var nextTime: Instant? { heap.first?.time }

    package mutating func push(_ event: consuming Event, at time: Instant, tie: UInt64 = 0) {
        let slot: Int
        if let known = free.popLast() {
            slot = known
            slots[slot] = event
        } else {
            slot = slots.count
            slots.append(event)
        }
        heap.append(Entry(time: time, tie: tie, sequence: nextSequence, slot: slot))
        nextSequence += 1
        siftUp(heap.count - 1)
    }

    package mutating func pop() -> (time: Instant, event: Event)? {
        guard let first = heap.first, let event = slots[first.slot].take() else { return nil }
        free.append(first.slot)
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            siftDown(0)
        }
        return (first.time, event)
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].precedes(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var smallest = parent
            for child in 2 * parent + 1...2 * parent + 2 where child < heap.count {
                if heap[child].precedes(heap[smallest]) { smallest = child }
            }
            guard smallest != parent else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
