import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A relay that only copies bytes, with one thread for each direction. It shows the best performance that a relay can
/// reach on this machine.
enum BareRelay {
    /// The argument that runs this program as a bare relay. It is followed by pairs of a listening port and an upstream
    /// port; the fifth pair's bytes are delayed by 1 ms.
    static let word = "--relay"

    static func serve(_ pairs: [String]) -> Never {
        for number in [SIGINT, SIGHUP] { signal(number, SIG_IGN) }
        let ports = pairs.compactMap { Int($0) }
        for index in stride(from: 0, to: ports.count - 1, by: 2) {
            let (listener, upstream) = (Sockets.listener(at: ports[index]).descriptor, ports[index + 1])
            Thread.detachNewThread { accept(at: listener, leadingTo: upstream, later: index == 8 ? 1000 : 0) }
        }
        while true { pause() }
    }

    private static func accept(at listener: Int32, leadingTo upstream: Int, later microseconds: UInt64) {
        while true {
            let client = platformAccept(listener)
            guard client >= 0 else { continue }
            guard let server = Sockets.connect(to: upstream) else {
                Sockets.drop(client)
                continue
            }
            var one: Int32 = 1
            setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
            if microseconds > 0 {
                DelayLine.carry(from: client, to: server, later: microseconds)
            } else {
                carry(from: client, to: server)
            }
            carry(from: server, to: client)
        }
    }

    /// Shuts down both sockets when one direction has ended. The descriptors stay open until the process ends.
    private static func carry(from source: Int32, to sink: Int32) {
        let thread = Thread {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 512 * 1024, alignment: 4096)
            defer { buffer.deallocate() }
            while true {
                let count = read(source, buffer.baseAddress, buffer.count)
                guard count > 0,
                    Sockets.sendAll(sink, UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                else { break }
            }
            _ = shutdown(source, Int32(SHUT_RDWR))
            _ = shutdown(sink, Int32(SHUT_RDWR))
        }
        thread.stackSize = 64 * 1024
        thread.start()
    }
}

private func platformAccept(_ listener: Int32) -> Int32 { accept(listener, nil, nil) }
