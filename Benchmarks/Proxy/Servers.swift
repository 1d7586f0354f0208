import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// What stands behind every relay: one port that echoes, one that swallows.
final class Servers: Sendable {
    let echoPort: Int
    let sinkPort: Int
    /// Bytes that the sink has read.
    let swallowed = Atomic<Int>(0)

    init() {
        let (echo, sink) = (Sockets.listener(), Sockets.listener())
        (echoPort, sinkPort) = (echo.port, sink.port)
        serve(echo.descriptor, size: 16 * 1024) { descriptor, buffer, count in
            Sockets.sendAll(descriptor, UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        serve(sink.descriptor, size: 512 * 1024) { [self] _, _, count in
            swallowed.add(count, ordering: .relaxed)
            return true
        }
    }

    private func serve(
        _ listener: Int32,
        size: Int,
        _ handle: @escaping @Sendable (Int32, UnsafeMutableRawBufferPointer, Int) -> Bool
    ) {
        Thread.detachNewThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { continue }
                var one: Int32 = 1
                setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
                let thread = Thread {
                    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
                    defer { buffer.deallocate() }
                    while true {
                        let count = read(descriptor, buffer.baseAddress, buffer.count)
                        guard count > 0, handle(descriptor, buffer, count) else { break }
                    }
                    _ = close(descriptor)
                }
                thread.stackSize = 64 * 1024
                thread.start()
            }
        }
    }
}

/// A port that accepts and holds, for counting what a relay needs for a connection.
final class Holder: Sendable {
    let port: Int
    private let count = Atomic<Int>(0)
    private let descriptors = Mutex<[Int32]>([])

    init() {
        let listener = Sockets.listener()
        port = listener.port
        Thread.detachNewThread { [self] in
            while true {
                let descriptor = accept(listener.descriptor, nil, nil)
                guard descriptor >= 0 else { continue }
                count.add(1, ordering: .relaxed)
                descriptors.withLock { $0.append(descriptor) }
            }
        }
    }

    /// Lets go of all that it holds.
    func release() {
        let all = descriptors.withLock { list in
            defer { list = [] }
            return list
        }
        for descriptor in all { Sockets.drop(descriptor) }
    }

    var held: Int { count.load(ordering: .relaxed) }
}
