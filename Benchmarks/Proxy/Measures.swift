import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Measures the performance of a relay.
enum Measures {
    static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// The throughput of `connections` parallel connections in Gbit/s.
    static func throughput(_ port: Int, _ servers: Servers, connections: Int, seconds: Double) -> Double {
        let stop = Flag()
        var descriptors: [Int32] = []
        for _ in 0..<connections {
            guard let descriptor = Sockets.connect(to: port) else { continue }
            descriptors.append(descriptor)
            Thread.detachNewThread {
                let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 64)
                defer { bytes.deallocate() }
                while !stop.isSet, Sockets.sendAll(descriptor, UnsafeRawBufferPointer(bytes)) {}
            }
        }
        // Lets the TCP windows grow before the measurement starts.
        usleep(200_000)
        let (began, before) = (now(), servers.swallowed.load(ordering: .relaxed))
        usleep(UInt32(seconds * 1e6))
        let bits = Double(servers.swallowed.load(ordering: .relaxed) - before) * 8
        let spent = Double(now() - began)
        stop.set()
        for descriptor in descriptors { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        usleep(100_000)
        for descriptor in descriptors { _ = close(descriptor) }
        return bits / spent
    }

    /// Round-trip times in microseconds, sorted.
    static func roundTrips(_ port: Int, bytes: Int, count: Int) -> [Double] {
        guard let descriptor = Sockets.connect(to: port) else { return [] }
        defer { _ = close(descriptor) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: 64)
        defer { buffer.deallocate() }
        var trips: [Double] = []
        for turn in 0..<(count + 500) {
            let began = now()
            guard Sockets.sendAll(descriptor, UnsafeRawBufferPointer(buffer)), Sockets.receiveAll(descriptor, buffer)
            else {
                return []
            }
            if turn >= 500 { trips.append(Double(now() - began) / 1000) }
        }
        return trips.sorted()
    }

    /// Connections per second, four at a time. Each one is opened, exchanges one byte in each direction, and is closed.
    static func connections(_ port: Int, seconds: Double) -> Double {
        let counter = Counter()
        let began = now()
        let threads = (0..<4).map { _ in
            Thread {
                var byte: UInt8 = 1
                while Double(now() - began) / 1e9 < seconds {
                    guard let descriptor = Sockets.connect(to: port) else { break }
                    let isEchoed = withUnsafeMutableBytes(of: &byte) { buffer in
                        Sockets.sendAll(descriptor, UnsafeRawBufferPointer(buffer))
                            && Sockets.receiveAll(descriptor, buffer)
                    }
                    Sockets.drop(descriptor)
                    if isEchoed { counter.add() }
                }
                counter.finish()
            }
        }
        threads.forEach { $0.start() }
        while counter.finished < threads.count { usleep(10_000) }
        return Double(counter.count) / (Double(now() - began) / 1e9)
    }

    /// The deviations of 1 KiB round trips from a latency toxic's value, in milliseconds, sorted.
    static func latencyErrors(_ relay: Relay, milliseconds: Int, count: Int) -> [Double]? {
        let body = #"{"name":"l","type":"latency","attributes":{"latency":\#(milliseconds)}}"#
        guard relay.addToxic(body, to: "p0") else { return nil }
        defer { relay.reset() }
        guard let descriptor = Sockets.connect(to: relay.echoPort) else { return nil }
        defer { _ = close(descriptor) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 64)
        defer { buffer.deallocate() }
        var errors: [Double] = []
        for _ in 0..<count {
            let began = now()
            guard Sockets.sendAll(descriptor, UnsafeRawBufferPointer(buffer)), Sockets.receiveAll(descriptor, buffer)
            else {
                return nil
            }
            errors.append(Double(now() - began) / 1e6 - Double(milliseconds))
        }
        return errors.sorted()
    }

    /// The largest deviation from the configured rate in any two-second window, in percent, ignoring the first 200 ms.
    static func bandwidthError(_ relay: Relay, _ servers: Servers, kilobytes: Int, seconds: Double) -> Double? {
        // Bytes that the previous toxic was holding may still arrive.
        var swallowed = -1
        while swallowed != servers.swallowed.load(ordering: .relaxed) {
            swallowed = servers.swallowed.load(ordering: .relaxed)
            usleep(200_000)
        }
        let body = #"{"name":"b","type":"bandwidth","stream":"upstream","attributes":{"rate":\#(kilobytes)}}"#
        guard relay.addToxic(body, to: "p2") else { return nil }
        defer { relay.reset() }
        guard let descriptor = Sockets.connect(to: relay.sinkPort) else { return nil }
        let stop = Flag()
        Thread.detachNewThread {
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 64)
            defer { bytes.deallocate() }
            while !stop.isSet, Sockets.sendAll(descriptor, UnsafeRawBufferPointer(bytes)) {}
        }
        usleep(200_000)
        var samples: [(time: UInt64, bytes: Int)] = []
        let began = now()
        while Double(now() - began) / 1e9 < seconds {
            samples.append((now(), servers.swallowed.load(ordering: .relaxed)))
            usleep(5000)
        }
        stop.set()
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
        usleep(100_000)
        _ = close(descriptor)
        var worst = 0.0
        for sample in samples {
            guard let end = samples.first(where: { $0.time >= sample.time + 2_000_000_000 }) else { break }
            let rate = Double(end.bytes - sample.bytes) / (Double(end.time - sample.time) / 1e9)
            // Bytes near a window's edge may be counted in the adjacent window, so 10 ms' worth of bytes is tolerated.
            let quantum = max(1, Double(kilobytes) * 1000 / 50) / 2
            let miss = max(0, abs(rate - Double(kilobytes) * 1000) - quantum)
            worst = max(worst, miss / (Double(kilobytes) * 1000) * 100)
        }
        return worst
    }

    /// The memory per idle connection in bytes; nil if the connections could not be opened.
    static func idleMemory(_ relay: Relay, _ holder: Holder, connections: Int) -> (each: Double, total: Int)? {
        let (before, held) = (relay.memory, holder.held)
        var descriptors: [Int32] = []
        for _ in 0..<connections {
            guard let descriptor = Sockets.connect(to: relay.holderPort) else { break }
            descriptors.append(descriptor)
        }
        let limit = Date().addingTimeInterval(10)
        while holder.held - held < descriptors.count, Date() < limit { usleep(20_000) }
        let made = holder.held - held
        let after = relay.memory
        for descriptor in descriptors { Sockets.drop(descriptor) }
        holder.release()
        guard made >= connections else {
            Session.progress("\(relay.name): \(descriptors.count) of \(connections) links begun, \(made) made\n")
            return nil
        }
        return (Double(after - before) / Double(connections), after)
    }
}

final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}

final class Counter: Sendable {
    private let hits = Atomic(0)
    private let ends = Atomic(0)
    var count: Int { hits.load(ordering: .relaxed) }
    var finished: Int { ends.load(ordering: .relaxed) }
    func add() { hits.add(1, ordering: .relaxed) }
    func finish() { ends.add(1, ordering: .relaxed) }
}
