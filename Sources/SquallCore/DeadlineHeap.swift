/// A priority queue of numbers, earliest deadline first; by default, those with equal deadlines keep insertion order.
///
/// It is a binary heap ordered by deadline, then by tie, then by insertion. `tie` is 0 unless the caller draws it at
/// random, to permute the order of equal deadlines.
///
/// The queue holds numbers instead of generic elements, because a generic type would not be specialised in other
/// modules, and queues are in the hot path of simulated runs. The caller maps each number to its action.
package struct DeadlineHeap: Sendable {
    private struct Entry {
        var due: Instant
        var tie: UInt64
        var arrival: UInt64
        var number: UInt64

        func precedes(_ other: Entry) -> Bool {
            if due < other.due { return true }
            if other.due < due { return false }
            if tie != other.tie { return tie < other.tie }
            return arrival < other.arrival
        }
    }

    private var entries: [Entry] = []
    private var arrivals: UInt64 = 0

    package init() {}

    /// The earliest deadline; nil if the queue is empty.
    package var next: Instant? { entries.first?.due }

    package mutating func insert(_ number: UInt64, at due: Instant, tie: UInt64 = 0) {
        entries.append(Entry(due: due, tie: tie, arrival: arrivals, number: number))
        arrivals += 1
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].precedes(entries[parent]) else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes the first number and returns it along with its deadline; returns nil if the queue is empty.
    package mutating func pop() -> (due: Instant, number: UInt64)? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sift()
        }
        return (first.due, first.number)
    }

    /// Removes and returns the first number whose deadline is at or before `now`; nil if there is none.
    package mutating func pop(through now: Instant) -> UInt64? {
        guard let next, next <= now else { return nil }
        return pop()?.number
    }

    private mutating func sift() {
        var parent = 0
        while true {
            var least = parent
            for child in 2 * parent + 1...2 * parent + 2 where child < entries.count {
                if entries[child].precedes(entries[least]) { least = child }
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
