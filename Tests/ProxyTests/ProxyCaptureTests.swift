import Foundation
import Proxy
import Synchronization
import TestSupport
import Testing

/// Tests captures of a proxy's connections by reading them with Wireshark's tshark.
@Suite(
    .ownThread,
    .timeLimit(.minutes(20)),
    .enabled(if: Tool.run("tshark", "--version").status == 0, "this needs tshark")
)
struct ProxyCaptureTests {
    /// A buffer to which any thread may write.
    private final class Written: Sendable {
        private let bytes = Mutex<[UInt8]>([])

        func add(_ more: [UInt8]) { bytes.withLock { $0 += more } }

        /// Runs tshark and returns the given fields of the packets that match a filter, one row per packet.
        func rows(where filter: String, _ fields: String...) throws -> [String] {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("squall-\(UUID()).pcapng")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data(bytes.withLock { $0 }).write(to: file)
            let options = ["-o", "tcp.check_checksum:TRUE", "-T", "fields", "-E", "separator= "]
            let ending = Tool.run(
                ["tshark", "-n", "-r", file.path, "-Y", filter] + options + fields.flatMap { ["-e", $0] }
            )
            try #require(ending.status == 0, "\(ending.output)")
            return ending.output.split(separator: "\n").map(String.init)
        }
    }

    private static func with(threads: Int = 1, _ body: (Bench, Upstream) throws -> Void) throws -> Written {
        let written = Written()
        var options = ProxyServer.Options()
        options.capture = { written.add($0) }
        options.threads = threads
        let upstream = try Upstream()
        try Bench.with(options) { try body($0, upstream) }
        return written
    }

    @Test("The capture has both sides of a connection, from SYN to FIN", arguments: [1, 2])
    func bothSidesAreCaptured(_ threads: Int) throws {
        var ports: [Int] = []
        let written = try Self.with(threads: threads) { bench, upstream in
            let port = try bench.proxy(to: upstream.port)
            ports = [port, upstream.port]
            let client = try Peer(connectingTo: port)
            let server = try #require(upstream.accept())
            client.send("question")
            #expect(server.text(8) == "question")
            server.send("answer")
            #expect(client.text(6) == "answer")
            client.close()
            #expect(server.receiveAll().end == .fin)
            server.close()
            #expect(bench.event("link.over") != nil)
        }
        let complaint = "tcp.analysis.flags || tcp.checksum.status == 0 || ip.checksum.status == 0"
        #expect(try written.rows(where: complaint, "_ws.col.Info").isEmpty)
        #expect(try Set(written.rows(where: "tcp", "tcp.stream")) == ["0", "1"])
        for (side, port) in zip(["client side", "server side"], ports) {
            let here = "frame.interface_name == \"\(side)\""
            let flags = try written.rows(where: "\(here) && tcp.len == 0 && tcp.flags != 0x10", "tcp.flags")
            #expect(flags.sorted() == ["0x0002", "0x0011", "0x0011", "0x0012"], "\(side)")
            let said = try written.rows(where: "\(here) && tcp.len > 0", "tcp.dstport", "tcp.payload")
            let (question, answer) = ("question", "answer")
            func hex(_ text: String) -> String { text.utf8.map { String($0, radix: 16) }.joined() }
            #expect(said.count == 2)
            #expect(said.first == "\(port) \(hex(question))", "\(side)")
            #expect(said.last?.hasSuffix(" \(hex(answer))") == true)
        }
        let comments = try written.rows(where: "frame.comment", "frame.comment")
        #expect(comments == ["Connection 1 of p.", "Connection 1 of p, to the upstream."])
    }

    @Test("Bytes that a toxic drops are captured on the client's side only") func droppedBytes() throws {
        let written = try Self.with { bench, upstream in
            let port = try bench.proxy(to: upstream.port)
            try bench.toxic("limit_data", #"{"bytes":4}"#, stream: "upstream")
            let client = try Peer(connectingTo: port)
            let server = try #require(upstream.accept())
            client.send("question")
            #expect(server.receiveAll().bytes == Array("ques".utf8))
            _ = client.receiveAll()
            client.close()
            server.close()
            #expect(bench.event("link.over") != nil)
        }
        func count(_ side: String) throws -> Int {
            try written.rows(where: "frame.interface_name == \"\(side)\"", "tcp.len").compactMap { Int($0) }.reduce(
                0,
                +
            )
        }
        #expect(try count("client side") == 8)
        #expect(try count("server side") == 4)
    }

    @Test("The capture shows resets and refusals") func resets() throws {
        let written = try Self.with { bench, upstream in
            let port = try bench.proxy(to: upstream.port)
            let client = try Peer(connectingTo: port)
            let server = try #require(upstream.accept())
            server.send("hello")
            #expect(client.text(5) == "hello")
            try bench.toxic("reset_peer", #"{"timeout":0}"#)
            #expect(client.receiveAll().end == .rst)
            client.close()
            server.close()
            let dead = try bench.proxy("dead", to: 1)
            _ = try Peer(connectingTo: dead).receiveAll()
            _ = bench.event("link.upstream_failed")
        }
        let resets = try written.rows(where: "tcp.flags.reset == 1 && tcp.stream < 2", "frame.interface_name")
        #expect(Set(resets) == ["client side", "server side"])
        let refused = try written.rows(where: "tcp.stream == 3", "tcp.flags")
        #expect(refused == ["0x0002", "0x0014"], "a SYN and its refusal")
    }
}
