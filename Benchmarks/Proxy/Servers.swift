import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The servers behind every relay: an echo server, a server that echoes one byte per connection, and a sink.
final class Servers: Sendable {
    let echoPort: Int
    let briefPort: Int
    let sinkPort: Int
    /// The number of bytes that the sink has read.
    let swallowed = Atomic<Int>(0)

    init() {
        let (echo, brief, sink) = (Sockets.listener(), Sockets.listener(), Sockets.listener())
        (echoPort, briefPort, sinkPort) = (echo.port, brief.port, sink.port)
        // Eight threads serve all connections, because starting a thread per connection would take longer than the
        // connection itself.
        for _ in 0..<8 { Self.serveBriefly(brief.descriptor) }
        serve(echo.descriptor, size: 16 * 1024) { descriptor, buffer, count in
            Sockets.sendAll(descriptor, UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        serve(sink.descriptor, size: 512 * 1024) { [self] _, _, count in
            swallowed.add(count, ordering: .relaxed)
            return true
        }
    }

    private static func serveBriefly(_ listener: Int32) {
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { continue }
                while read(descriptor, &byte, 1) == 1, write(descriptor, &byte, 1) == 1 {}
                _ = close(descriptor)
            }
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
