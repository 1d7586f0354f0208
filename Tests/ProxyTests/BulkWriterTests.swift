import Dispatch
import Foundation
import Sockets
import SquallCore
import TestSupport
import Testing

@testable import Proxy

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Tests that bytes held back by a fault are written by another thread, in bulk, unchanged and in order.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct BulkWriterTests {
    private static let content = (0..<24_000_000).map { UInt8(truncatingIfNeeded: $0 &* 0x9E37_79B1 >> 16) }

    @Test("A write job writes its pieces in order, reports each piece and accepts no piece after its end")
    func inOrder() throws {
        let (near, far) = try SystemSocket.pair()
        defer { far.close() }
        let mailbox = try ReactorInbox()
        let writer = BulkWriter(reportingTo: mailbox)
        let job = WriteJob(to: near, [Array("..abc".utf8), Array("de".utf8)], from: 2, token: 7, number: 3)
        #expect(job.add(Array("fgh".utf8)))
        writer.send(job)
        var reports: [Report] = []
        while reports.last?.progress != .done { reports += collect(mailbox) }
        #expect(reports.map(\.bytes) == [3, 2, 3, 0])
        #expect(reports.dropLast().allSatisfy { $0.progress == .underWay })
        #expect(!job.add([1]))
        writer.stop()
        // The job has closed its duplicate descriptor, which was the last one referring to the socket.
        #expect(read(far, 100) == "abcdefgh")
    }

    @Test("A write job for a full socket reports the number of bytes written so far") func stuck() throws {
        let (near, far) = try SystemSocket.pair()
        defer { far.close() }
        let mailbox = try ReactorInbox()
        let writer = BulkWriter(reportingTo: mailbox)
        defer { writer.stop() }
        let much = [UInt8](repeating: 1, count: 8_000_000)
        let job = WriteJob(to: near, [much, much], from: 0, token: 7, number: 1)
        writer.send(job)
        var reports: [Report] = []
        while reports.isEmpty { reports += collect(mailbox) }
        #expect(reports.map(\.progress) == [.stuck])
        #expect(reports[0].bytes < much.count)
        #expect(!job.add([1]))
        #expect(read(far, reports[0].bytes).utf8.count == reports[0].bytes)
    }

    @Test("A recalled write job writes nothing") func recalled() throws {
        let (near, far) = try SystemSocket.pair()
        defer { far.close() }
        let mailbox = try ReactorInbox()
        let writer = BulkWriter(reportingTo: mailbox)
        let job = WriteJob(to: near, [Array("never".utf8)], from: 0, token: 7, number: 1)
        job.dropPending()
        #expect(!job.add([1]))
        writer.send(job)
        writer.stop()
        #expect(read(far, 1) == "")
    }

    /// The peer reads in bursts while the latency toxic is changed and then removed.
    @Test("Bulk data delayed by a latency arrives complete and in order", arguments: [1, 4])
    func bulkBehindALatencyArrivesWholeAndInOrder(threads: Int) throws {
        var options = ProxyServer.Options()
        options.threads = threads
        try Bench.with(options) { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            try bench.toxic("latency", #"{"latency":2}"#, stream: "upstream")
            let client = try Peer(connectingTo: port)
            let server = try #require(upstream.accept())
            let sender = beside {
                client.send(Self.content)
                client.end()
            }
            var received: [UInt8] = []
            received += server.receive(6_000_000).bytes
            // While the server is not reading, all buffers between it and the client fill up.
            _ = try bench.call("POST", "/proxies/p/toxics/latency", #"{"attributes":{"latency":20}}"#)
            received += server.receive(6_000_000).bytes
            _ = try bench.call("DELETE", "/proxies/p/toxics/latency")
            received += server.receive(6_000_000).bytes
            try bench.toxic("latency", #"{"latency":1}"#, stream: "upstream")
            let (rest, end) = server.receiveAll(within: 60)
            received += rest
            sender.wait()
            #expect(end == .fin)
            #expect(received == Self.content)
        }
    }

    /// After several such resets, the proxy must still serve the next client.
    @Test("A reset during the transfer of bulk data reaches the client") func resetUnderBulk() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            try bench.toxic("latency", #"{"latency":1}"#, stream: "upstream")
            for _ in 0..<3 {
                let client = try Peer(connectingTo: port)
                let server = try #require(upstream.accept())
                let sender = beside { client.send(Self.content) }
                _ = server.receive(3_000_000)
                server.reset()
                sender.wait()
                #expect(client.becomesBroken(within: 20))
            }
            try bench.call("DELETE", "/proxies/p/toxics/latency")
            let client = try Peer(connectingTo: port)
            client.send("hello")
            #expect(upstream.accept()?.text(5) == "hello")
        }
    }

    // MARK: - Helpers

    private struct Report {
        let bytes: Int
        let progress: WriteJob.Progress
    }

    /// Waits for the mailbox to become readable, and returns the reports in it.
    private func collect(_ mailbox: ReactorInbox) -> [Report] {
        var entry = pollfd(fd: mailbox.reading, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 60_000) > 0 else {
            Issue.record("the writer reported nothing")
            return [Report(bytes: 0, progress: .done)]
        }
        return mailbox.collect().compactMap { message in
            guard case .delivered(7, _, let bytes, let progress) = message else { return nil }
            return Report(bytes: bytes, progress: progress)
        }
    }

    /// Reads `count` bytes, or fewer if the other end is closed first.
    private func read(_ socket: SystemSocket, _ count: Int) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: count)
        while bytes.count < count {
            guard case .bytes(let read) = buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) else { break }
            bytes += buffer[..<read]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
