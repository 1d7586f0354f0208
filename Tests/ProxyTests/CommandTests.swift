import Foundation
import Proxy
import SquallCore
import TestSupport
import Testing

/// The built `squall proxy`, as somebody at a terminal has it.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct CommandTests {
    /// It lies beside the tests' own executable.
    private static let binary = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appendingPathComponent("squall").path

    private final class Running {
        let process = Process()
        private let errors = Pipe()
        let output = Pipe()
        private var watchdog: DispatchWorkItem?
        private(set) var told = ""

        init(_ arguments: String, descriptors: Int? = nil) throws {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            let limit = descriptors.map { "ulimit -n \($0); " } ?? ""
            process.arguments = ["-c", "\(limit)exec \(CommandTests.binary) proxy \(arguments)"]
            process.standardError = errors
            process.standardOutput = output
            try process.run()
            // What waits for its words waits no longer than this.
            let process = process
            let watchdog = DispatchWorkItem { process.terminate() }
            DispatchQueue.global().asyncAfter(deadline: .now() + 40, execute: watchdog)
            self.watchdog = watchdog
        }

        deinit {
            watchdog?.cancel()
            if process.isRunning { process.terminate() }
        }

        /// Reads on until it has told this; false where it ends before.
        func tells(_ text: String) -> Bool {
            while !told.contains(text) {
                let data = errors.fileHandleForReading.availableData
                guard !data.isEmpty else { return false }
                told += String(decoding: data, as: UTF8.self)
            }
            return true
        }

        var port: Int {
            guard tells("\n") else { return 0 }
            return Int(told.split(separator: "\n")[0].split(separator: ":").last ?? "") ?? 0
        }

        func status() -> Int32 {
            _ = tells("\u{0}")
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    private func file(_ text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("squall-\(UUID().uuidString).json")
            .path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test func aTakenPortIsToldAndIsStatus70() throws {
        let busy = try Upstream()
        let running = try Running("--port \(busy.port)")
        #expect(running.status() == 70)
        #expect(running.told.contains("127.0.0.1:\(busy.port)") && running.told.contains("address already in use"))
        let config = try file(#"[{"name":"p","listen":"127.0.0.1:\#(busy.port)","upstream":"127.0.0.1:1"}]"#)
        defer { try? FileManager.default.removeItem(atPath: config) }
        #expect(try Running("--port 0 --config \(config)").status() == 70)
    }

    @Test func aFileThatIsMissingOrWrongIsToldApart() throws {
        let missing = try Running("--port 0 --config /no/such/file")
        #expect(missing.status() == 64)
        #expect(missing.told.contains("/no/such/file"))
        let config = try file(#"[{"name":"p","upstrem":"127.0.0.1:1"}]"#)
        defer { try? FileManager.default.removeItem(atPath: config) }
        let wrong = try Running("-port 0 -config \(config)")
        #expect(wrong.status() == 65)
        #expect(wrong.told.contains("proxies[0]: unknown key 'upstrem'"))
    }

    @Test(arguments: [
        ("127.0.0.1:99999", "127.0.0.1:1", "proxies[0].listen: address 99999: invalid port"),
        ("here", "127.0.0.1:1", "proxies[0].listen: address here: missing port in address"),
        ("", "nowhere", "proxies[0].upstream: address nowhere: missing port in address"),
        ("", "127.0.0.1:99999", "proxies[0].upstream: address 99999: invalid port"),
        (
            "", "http://localhost:8080/",
            "proxies[0].upstream: address http://localhost:8080/: too many colons in address"
        ),
        ("", "localhost:8080/", "proxies[0].upstream: address localhost:8080/: '8080/' is no port to connect to"),
        ("", "127.0.0.1:0", "proxies[0].upstream: address 127.0.0.1:0: '0' is no port to connect to"),
    ])
    func addressesInAFileThatNobodyCanHaveAreStatus65(_ listen: String, _ upstream: String, _ words: String) throws {
        let config = try file(#"[{"name":"p","listen":"\#(listen)","upstream":"\#(upstream)"}]"#)
        defer { try? FileManager.default.removeItem(atPath: config) }
        let running = try Running("--port 0 --config \(config)")
        #expect(running.status() == 65)
        #expect(running.told.contains(words), "\(running.told)")
    }

    /// Toxiproxy takes them.
    @Test func anUpstreamThatNobodyCanReachIsTroubleFromTheFirst() throws {
        try Bench.with { bench in
            let made = try bench.call("POST", "/proxies", #"{"name":"p","listen":"127.0.0.1:0","upstream":"nowhere"}"#)
            #expect(made.status == 201)
            #expect(bench.event("trouble")?["message"] == "upstream nowhere: address nowhere: missing port in address")
            #expect(try bench.call("POST", "/proxies/p", #"{"upstream":"127.0.0.1:99999"}"#).status == 200)
            let message: JSON = "upstream 127.0.0.1:99999: address 99999: invalid port"
            #expect(bench.event("trouble") { $0["message"] == message } != nil)
            #expect(try bench.call("POST", "/proxies/p", #"{"upstream":"localhost:http"}"#).status == 200)
            #expect(try bench.call("GET", "/version").status == 200)
            #expect(bench.events.count { $0["event"] == "trouble" } == 2)
        }
    }

    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(0))])
    func itEndsInOrder(signal: Int32, status: Int32) throws {
        let upstream = try Upstream()
        let config = try file(#"[{"name":"p","listen":"127.0.0.1:0","upstream":"127.0.0.1:\#(upstream.port)"}]"#)
        defer { try? FileManager.default.removeItem(atPath: config) }
        let running = try Running("--port 0 --config \(config) --events -")
        let port = running.port
        let events = String(decoding: running.output.fileHandleForReading.availableData, as: UTF8.self)
        let listen = try JSON.decode(String(events.split(separator: "\n")[0]))["listen"]?.stringValue ?? ""
        let client = try Peer(connectingTo: Int(listen.split(separator: ":").last ?? "") ?? 0)
        let server = try #require(upstream.accept())
        kill(running.process.processIdentifier, signal)
        #expect(running.status() == status)
        #expect(client.receiveAll().end == .fin && server.receiveAll().end == .fin)
        #expect(throws: Peer.Failure.self) { try Peer(connectingTo: port) }
    }

    /// One with 40 descriptors, and where its proxy listens.
    private func scarce(_ threads: Int, _ upstream: Upstream, toxics: String = "[]") throws -> (Running, port: Int) {
        let (listen, upstream) = ("127.0.0.1:0", "127.0.0.1:\(upstream.port)")
        return try scarce(
            threads,
            #"[{"name":"p","listen":"\#(listen)","upstream":"\#(upstream)","toxics":\#(toxics)}]"#
        )
    }

    private func scarce(_ threads: Int, _ proxies: String) throws -> (Running, port: Int) {
        let config = try file(proxies)
        defer { try? FileManager.default.removeItem(atPath: config) }
        let running = try Running("--port 0 --config \(config) --events - --threads \(threads)", descriptors: 40)
        #expect(running.port > 0)
        var listen: String?
        var events = ""
        while listen == nil {
            let more = running.output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            events += String(decoding: more, as: UTF8.self)
            listen =
                events.split(separator: "\n").lazy.compactMap { try? JSON.decode(String($0)) }
                .first { $0["event"] == "proxy.listening" }?["listen"]?.stringValue
        }
        return (running, Int(listen?.split(separator: ":").last ?? "") ?? 0)
    }

    private func isHeard(by running: Running) throws -> Bool {
        let asking = try Peer(connectingTo: running.port)
        asking.send("GET /proxies HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let answer = String(decoding: asking.receiveAll(within: 5).bytes, as: UTF8.self)
        asking.close()
        return answer.hasPrefix("HTTP/1.1 200 ")
    }

    /// Out of descriptors it says so once, the API answers, who calls waits, and all is well when some are free again.
    @Test(arguments: [1, 2, 3])
    func itSurvivesRunningOutOfDescriptors(threads: Int) throws {
        let upstream = try Upstream()
        let (running, port) = try scarce(threads, upstream)
        let crowd = try (0..<40).map { _ in try Peer(connectingTo: port) }
        #expect(running.tells("Too many open files: this process may have 40 descriptors"))
        // Connections have not taken the last: whoever wants to know, or to end them, is heard.
        for _ in 0..<3 { #expect(try isHeard(by: running)) }
        // Those that came in have their upstreams.
        let first = crowd[0]
        let behind = try #require(upstream.accept())
        first.send("in")
        #expect(behind.text(2) == "in")
        behind.close()
        for peer in crowd { peer.close() }
        while let peer = upstream.accept(within: 1) { peer.close() }
        let client = try Peer(connectingTo: port)
        let server = try #require(upstream.accept())
        client.send("hello")
        #expect(server.text(5) == "hello")
        kill(running.process.processIdentifier, SIGTERM)
        #expect(running.status() == 0)
    }

    /// Each address that sends to a UDP port takes a descriptor; the last are not theirs.
    @Test(arguments: [1, 2])
    func sendersOfDatagramsLeaveSomeToOthers(threads: Int) throws {
        let server = try DatagramPeer()
        let proxy = #"[{"name":"p","listen":"udp:127.0.0.1:0","upstream":"udp:127.0.0.1:\#(server.port)"}]"#
        let (running, port) = try scarce(threads, proxy)
        let crowd = try (0..<60).map { _ in try DatagramPeer() }
        for (number, peer) in crowd.enumerated() { peer.send("\(number)", to: port) }
        #expect(running.tells("Too many open files: this process may have 40 descriptors"))
        // All at once: the reserve is for several of them.
        let clients = try (0..<3).map { _ in try Peer(connectingTo: running.port) }
        for client in clients { client.send("GET /version HTTP/1.1\r\nHost: a\r\n\r\n") }
        for client in clients { #expect(client.text(15, within: 5) == "HTTP/1.1 200 OK") }
        // Whoever came first goes on.
        #expect(server.receive()?.text == "0")
        kill(running.process.processIdentifier, SIGTERM)
        #expect(running.status() == 0)
    }

    /// Those that came in have theirs kept for them, however late they want it; those that could not come in are next.
    @Test(arguments: [1, 2, 3])
    func everybodyIsServedInTheEnd(threads: Int) throws {
        let upstream = try Upstream()
        // Nobody's upstream is dialled before its request is there.
        let toxics = #"[{"type":"noop","only":{"path":"/none"}}]"#
        let (running, port) = try scarce(threads, upstream, toxics: toxics)
        // One by one: each has come in, or has been left in the kernel's queue, before the next calls.
        let crowd = try (0..<40).map { _ in
            let peer = try Peer(connectingTo: port)
            #expect(try isHeard(by: running))
            return peer
        }
        #expect(running.tells("Too many open files: this process may have 40 descriptors"))
        for (number, peer) in crowd.enumerated() { peer.send("GET /\(number) HTTP/1.1\r\n\r\n") }
        try answerAll(crowd, from: upstream)
        kill(running.process.processIdentifier, SIGTERM)
        #expect(running.status() == 0)
    }

    /// Where something else has taken what was kept, they wait as those in the kernel's queue do.
    @Test(arguments: [1, 2, 3])
    func anUpstreamIsDialledOnceThereIsADescriptor(threads: Int) throws {
        let upstream = try Upstream()
        let toxics = #"[{"type":"noop","only":{"path":"/none"}}]"#
        let (running, port) = try scarce(threads, upstream, toxics: toxics)
        let crowd = try (0..<4).map { _ in try Peer(connectingTo: port) }
        // The API's clients may have the very last: more come than there are descriptors, and none of them asks anything.
        let idle = try (0..<40).map { _ in try Peer(connectingTo: running.port) }
        #expect(running.tells("Too many open files: this process may have 40 descriptors"))
        for (number, peer) in crowd.enumerated() { peer.send("GET /\(number) HTTP/1.1\r\n\r\n") }
        #expect(upstream.accept(within: 0.3) == nil)
        for peer in idle { peer.close() }
        try answerAll(crowd, from: upstream)
        kill(running.process.processIdentifier, SIGTERM)
        #expect(running.status() == 0)
    }

    /// Each by its own number, and then it goes, as its client does.
    private func answerAll(_ crowd: [Peer], from upstream: Upstream) throws {
        var left = Set(crowd.indices)
        while !left.isEmpty {
            let server = try #require(upstream.accept(), "\(left) are not served")
            var request = ""
            while !request.hasSuffix("\r\n\r\n") {
                let byte = server.text(1)
                guard !byte.isEmpty else { break }
                request += byte
            }
            let number = request.dropFirst(5).prefix { $0 != " " }
            let place = try #require(Int(number), "\(request)")
            server.send("answer \(number)")
            #expect(crowd[place].text("answer \(number)".utf8.count) == "answer \(number)")
            crowd[place].close()
            server.close()
            left.remove(place)
        }
    }
}
