import Faults
import SquallCore

/// The delayed datagrams of a UDP proxy, ordered by due time.
///
/// Datagrams that are due at the same instant keep their order of arrival.
struct DatagramQueue {
    struct Waiting: Hashable {
        let bytes: [UInt8]
        let session: Int
        let direction: Direction
    }

    /// The maximum number of bytes queued at once, for all sessions together.
    ///
    /// Datagrams that would exceed it are dropped, as they are by a router whose queue is full.
    static let capacity = 32 * 1024 * 1024
    /// The approximate memory overhead of one queued datagram, in bytes.
    static let overhead = 128

    private var heap = DeadlineHeap()
    private var waiting: [UInt64: Waiting] = [:]
    private var number: UInt64 = 0
    /// The number of bytes currently queued, including ``overhead`` for each datagram.
    private(set) var held = 0

    var next: Instant? { heap.next }

    /// Queues a datagram. Returns false if the datagram is dropped because the queue is full or because its due time is
    /// `never`.
    mutating func insert(_ datagram: Waiting, due: Instant) -> Bool {
        let size = datagram.bytes.count + Self.overhead
        guard due < .never, held + size <= Self.capacity else { return false }
        held += size
        waiting[number] = datagram
        heap.insert(number, at: due)
        number += 1
        return true
    }

    /// Removes and returns the next datagram that is due by `now`; nil if none is.
    mutating func pop(through now: Instant) -> Waiting? {
        guard let number = heap.pop(through: now), let datagram = waiting.removeValue(forKey: number) else {
            return nil
        }
        held -= datagram.bytes.count + Self.overhead
        assert(held >= 0)
        return datagram
    }
}
