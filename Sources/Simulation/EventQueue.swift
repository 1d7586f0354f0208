package import SquallCore

/// A queue of timed events, earliest first.
///
/// Events at the same instant are ordered by `tie`, and events with the same `tie` keep the order in which they were
/// pushed. In a run without timing shifts, `tie` is 0; a run with timing shifts chooses it at random, which permutes
/// events at the same instant.
package struct EventQueue<Event> {
    /// The heap of slot numbers; the events themselves stay in their slots.
    private var heap = DeadlineHeap()
    private var slots: [Event?] = []
    private var free: [Int] = []

    package init() {}

    package var nextTime: Instant? { heap.next }

    package mutating func push(_ event: consuming Event, at time: Instant, tie: UInt64 = 0) {
        let slot: Int
        if let known = free.popLast() {
            slot = known
            slots[slot] = event
        } else {
            slot = slots.count
            slots.append(event)
        }
        heap.insert(UInt64(slot), at: time, tie: tie)
    }

    package mutating func pop() -> (time: Instant, event: Event)? {
        guard let first = heap.pop() else { return nil }
        let slot = Int(first.number)
        guard let event = slots[slot].take() else { return nil }
        free.append(slot)
        return (first.due, event)
    }
}
