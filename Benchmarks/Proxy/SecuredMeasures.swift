import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Measures the performance of a relay with a TLS client.
extension Measures {
    /// The plaintext throughput of one TLS connection in Gbit/s.
    static func securedThroughput(_ port: Int, _ servers: Servers, seconds: Double) -> Double? {
        let (stop, isUp, isOver) = (Flag(), Flag(), Flag())
        Thread.detachNewThread {
            defer { isOver.set() }
            guard let client = SystemTLS(), let link = client.connect(to: port) else { return }
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 64)
            defer { bytes.deallocate() }
            isUp.set()
            while !stop.isSet, client.sendAll(link, UnsafeRawBufferPointer(bytes)) {}
            client.drop(link)
        }
        while !isUp.isSet, !isOver.isSet { usleep(1000) }
        usleep(200_000)
        let (began, before) = (now(), servers.swallowed.load(ordering: .relaxed))
        usleep(UInt32(seconds * 1e6))
        let bits = Double(servers.swallowed.load(ordering: .relaxed) - before) * 8
        let spent = Double(now() - began)
        let hasFailed = isOver.isSet
        stop.set()
        while !isOver.isSet { usleep(1000) }
        return hasFailed ? nil : bits / spent
    }

    /// TLS connections per second, four at a time. Each one is opened with a full handshake, exchanges one byte in each
    /// direction, and is closed.
    static func securedConnections(_ port: Int, seconds: Double) -> Double {
        let counter = Counter()
        let began = now()
        let threads = (0..<4).map { _ in
            Thread {
                defer { counter.finish() }
                guard let client = SystemTLS() else { return }
                var byte: UInt8 = 1
                while Double(now() - began) / 1e9 < seconds, let link = client.connect(to: port) {
                    let isEchoed = withUnsafeMutableBytes(of: &byte) { buffer in
                        client.sendAll(link, UnsafeRawBufferPointer(buffer)) && client.receiveAll(link, buffer)
                    }
                    client.drop(link)
                    if isEchoed { counter.add() }
                }
            }
        }
        threads.forEach { $0.start() }
        while counter.finished < threads.count { usleep(10_000) }
        return Double(counter.count) / (Double(now() - began) / 1e9)
    }
}
