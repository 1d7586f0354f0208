import SquallCore
import Testing

@testable import Proxy

struct DatagramQueueTests {
    private func datagram(_ number: Int, bytes: Int = 1) -> DatagramQueue.Waiting {
        DatagramQueue.Waiting(
            bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes),
            session: number,
            direction: .upstream
        )
    }

    /// Inserts the datagrams, and returns whether each was accepted.
    private func insert(_ datagrams: [(DatagramQueue.Waiting, Int64)], into queue: inout DatagramQueue) -> [Bool] {
        datagrams.map { queue.insert($0, due: .zero + .milliseconds($1)) }
    }

    @Test("Datagrams are sent in the order of their due time, then of their arrival") func order() {
        var queue = DatagramQueue()
        let given =
            [(datagram(1), 30), (datagram(2), 10), (datagram(3), 20), (datagram(4), 10)]
            as [(DatagramQueue.Waiting, Int64)]
        #expect(insert(given, into: &queue) == [true, true, true, true])
        #expect(queue.next == .zero + .milliseconds(10))
        var left: [Int] = []
        while let next = queue.pop(through: .zero + .milliseconds(20)) { left.append(next.session) }
        #expect(left == [2, 4, 3])
        #expect(queue.next == .zero + .milliseconds(30))
    }

    /// The limit counts bytes, not datagrams.
    @Test("A datagram beyond the queue's limit is dropped") func limit() {
        var queue = DatagramQueue()
        let size = 65_536 - DatagramQueue.overhead
        var count = 0
        while queue.insert(datagram(count, bytes: size), due: .zero + .seconds(1)) { count += 1 }
        #expect(count == 512)
        #expect(insert([(datagram(0, bytes: 0), 0)], into: &queue) == [false])
        _ = queue.pop(through: .zero + .seconds(1))
        #expect(insert([(datagram(0, bytes: 0), 1000)], into: &queue) == [true])
        while queue.pop(through: .zero + .seconds(1)) != nil {}
        #expect(queue.held == 0)
    }

    @Test("A datagram that is never due is dropped") func neverDue() {
        var queue = DatagramQueue()
        #expect(insert([(datagram(1), .max)], into: &queue) == [false])
        #expect(queue.held == 0 && queue.next == nil)
    }
}
