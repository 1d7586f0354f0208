import SquallCore

/// Packets in the order in which they are due; those of one instant in the order in which they came.
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

    /// The first that is due; nil where none is.
    mutating func remove(at now: Instant) -> [UInt8]? {
        heap.pop(through: now).flatMap { packets.removeValue(forKey: $0) }
    }
}
