import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// One direction of a bare relay that delays all bytes. One thread reads, another writes, and free buffers are reused
/// in last-in, first-out order.
///
/// The delayed data does not fit into a processor's second-level cache, so this measures the cost of cache misses
/// alone.
final class DelayLine: @unchecked Sendable {
    // `condition` guards `free`, `waiting` and `isOver`. A buffer is owned by the reader, then by the queue, then by
    // the writer.
    private typealias Piece = UnsafeMutableRawBufferPointer
    private static let pieceSize = 512 * 1024
    /// The maximum number of buffers; together they hold as many bytes as Squall lets a latency toxic delay.
    private static let most = 64

    private let nanoseconds: UInt64
    private let condition = NSCondition()
    private var free: [Piece] = []
    private var made = 0
    private var waiting: [(piece: Piece, count: Int, due: UInt64)] = []
    private var isOver = false

    private init(_ microseconds: UInt64) {
        nanoseconds = microseconds * 1000
    }

    deinit {
        for piece in free { piece.deallocate() }
        for entry in waiting { entry.piece.deallocate() }
    }

    static func carry(from source: Int32, to sink: Int32, later microseconds: UInt64) {
        let line = DelayLine(microseconds)
        let works: [@Sendable () -> Void] = [{ line.read(from: source) }, { line.write(to: sink) }]
        for work in works {
            let thread = Thread {
                work()
                _ = shutdown(source, Int32(SHUT_RDWR))
                _ = shutdown(sink, Int32(SHUT_RDWR))
            }
            thread.stackSize = 64 * 1024
            thread.start()
        }
    }

    private func read(from source: Int32) {
        while let piece = takeFree() {
            let count = platformRead(source, piece)
            condition.lock()
            if count > 0 {
                waiting.append((piece, count, DispatchTime.now().uptimeNanoseconds + nanoseconds))
            } else {
                free.append(piece)
                isOver = true
            }
            condition.broadcast()
            condition.unlock()
            guard count > 0 else { return }
        }
    }

    private func takeFree() -> Piece? {
        condition.lock()
        defer { condition.unlock() }
        while free.isEmpty, made == Self.most, !isOver { condition.wait() }
        guard !isOver else { return nil }
        if let piece = free.popLast() { return piece }
        made += 1
        return .allocate(byteCount: Self.pieceSize, alignment: 4096)
    }

    private func write(to sink: Int32) {
        while let (piece, count, due) = takeWaiting() {
            let now = DispatchTime.now().uptimeNanoseconds
            if due > now {
                var span = timespec(tv_sec: 0, tv_nsec: Int(due - now))
                nanosleep(&span, nil)
            }
            let isSent = Sockets.sendAll(sink, UnsafeRawBufferPointer(rebasing: piece[..<count]))
            condition.lock()
            free.append(piece)
            if !isSent { isOver = true }
            condition.broadcast()
            condition.unlock()
        }
    }

    private func takeWaiting() -> (Piece, Int, UInt64)? {
        condition.lock()
        defer { condition.unlock() }
        while waiting.isEmpty, !isOver { condition.wait() }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }
}

private func platformRead(_ descriptor: Int32, _ piece: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, piece.baseAddress, piece.count)
}
