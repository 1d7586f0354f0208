package import SquallCore

/// What is still to happen, earliest first; what falls on one instant in the order it was put in.
///
/// `tie` is 0 in an ideal run; a shifted run draws it, to permute what falls on one instant.
package struct EventQueue<Event> {
    /// The events lie still while their places in the heap move.
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
