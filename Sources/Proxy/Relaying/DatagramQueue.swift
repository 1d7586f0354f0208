import Faults
import SquallCore

/// Datagrams that wait for their time, in its order; those of one instant in the order in which they came.
struct DatagramQueue {
    struct Waiting: Hashable {
        let bytes: [UInt8]
        let session: Int
        let direction: Direction
    }

    /// Bytes over all addresses; what would be more is lost, as in a full queue.
    static let capacity = 32 * 1024 * 1024
    /// What a datagram takes beside its bytes, about.
    static let overhead = 128

    private var heap = DeadlineHeap()
    private var waiting: [UInt64: Waiting] = [:]
    private var number: UInt64 = 0
    /// Bytes that wait, what each datagram takes beside them included.
    private(set) var held = 0

    var next: Instant? { heap.next }

    /// False where it is lost: there is no room, or its time never comes.
    mutating func insert(_ datagram: Waiting, due: Instant) -> Bool {
        let size = datagram.bytes.count + Self.overhead
        guard due < .never, held + size <= Self.capacity else { return false }
        held += size
        waiting[number] = datagram
        heap.insert(number, at: due)
        number += 1
        return true
    }

    /// The first that is due; nil where none is.
    mutating func pop(through now: Instant) -> Waiting? {
        guard let number = heap.pop(through: now), let datagram = waiting.removeValue(forKey: number) else {
            return nil
        }
        held -= datagram.bytes.count + Self.overhead
        return datagram
    }
}
