import SquallCore

/// Delayed packets, ordered by due time. Packets that are due at the same instant keep their order of arrival.
struct DepartureQueue: Sendable {
    private var heap = DeadlineHeap()
    private var packets: [UInt64: [UInt8]] = [:]
    private var numbers: UInt64 = 0

    var count: Int { packets.count }
    var next: Instant? { heap.next }

    mutating func insert(_ packet: [UInt8], due: Instant) {
        packets[numbers] = packet
        heap.insert(numbers, at: due)
        numbers += 1
    }

    /// Removes and returns the next packet that is due by `now`; nil if no packet is due.
    mutating func remove(at now: Instant) -> [UInt8]? {
        heap.pop(through: now).flatMap { packets.removeValue(forKey: $0) }
    }
}
