import Foundation
import Proxy
import SquallCore
import TestSupport
import Testing

/// Tests `squall proxy` by running the executable as a user would from a terminal.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct CommandTests {
    /// The command's executable is in the same folder as the test executable.
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
            // The watchdog bounds every wait for output by terminating the command.
            let process = process
            let watchdog = DispatchWorkItem { process.terminate() }
            DispatchQueue.global().asyncAfter(deadline: .now() + 40, execute: watchdog)
            self.watchdog = watchdog
        }

        deinit {
            watchdog?.cancel()
            if process.isRunning { process.terminate() }
        }

        /// Reads until the output contains the text. Returns false if the command exits before that.
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

    @Test("The proxy exits with status 70 if its port is in use") func takenPort() throws {
        let busy = try Upstream()
        let running = try Running("--port \(busy.port)")
        #expect(running.status() == 70)
        #expect(running.told.contains("127.0.0.1:\(busy.port)") && running.told.contains("address already in use"))
        let config = try file(#"[{"name":"p","listen":"127.0.0.1:\#(busy.port)","upstream":"127.0.0.1:1"}]"#)
        defer { try? FileManager.default.removeItem(atPath: config) }
        #expect(try Running("--port 0 --config \(config)").status() == 70)
    }

    @Test("A missing config file exits with status 64, an invalid config file with status 65") func badFile() throws {
        let missing = try Running("--port 0 --config /no/such/file")
        #expect(missing.status() == 64)
        #expect(missing.told.contains("/no/such/file"))
        let config = try file(#"[{"name":"p","upstrem":"127.0.0.1:1"}]"#)
        defer { try? FileManager.default.removeItem(atPath: config) }
        let wrong = try Running("-port 0 -config \(config)")
        #expect(wrong.status() == 65)
        #expect(wrong.told.contains("proxies[0]: unknown key 'upstrem'"))
    }

    @Test(
        "An invalid address in a config file exits with status 65",
        arguments: [
            ("127.0.0.1:99999", "127.0.0.1:1", "proxies[0].listen: address 99999: invalid port"),
            ("here", "127.0.0.1:1", "proxies[0].listen: address here: missing port in address"),
            ("", "nowhere", "proxies[0].upstream: address nowhere: missing port in address"),
            ("", "127.0.0.1:99999", "proxies[0].upstream: address 99999: invalid port"),
            (
                "", "http://localhost:8080/",
                "proxies[0].upstream: address http://localhost:8080/: too many colons in address"
            ),
            (
                "", "localhost:8080/",
                "proxies[0].upstream: address localhost:8080/: '8080/' is not a port to connect to"
            ),
            ("", "127.0.0.1:0", "proxies[0].upstream: address 127.0.0.1:0: '0' is not a port to connect to"),
        ]
    )
    func invalidAddresses(_ listen: String, _ upstream: String, _ words: String) throws {
        let config = try file(#"[{"name":"p","listen":"\#(listen)","upstream":"\#(upstream)"}]"#)
        defer { try? FileManager.default.removeItem(atPath: config) }
        let running = try Running("--port 0 --config \(config)")
        #expect(running.status() == 65)
        #expect(running.told.contains(words), "\(running.told)")
    }

    /// Like Toxiproxy, the API accepts an invalid upstream address.
    @Test("An invalid upstream in a request is accepted and reported as a trouble event")
    func invalidUpstream() throws {
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

    @Test(
        "SIGINT and SIGTERM end the proxy, and its connections end with FIN",
        arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(0))]
    )
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

    /// Starts the command with a limit of 40 descriptors. Returns the command and the port of its proxy.
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

    /// The proxy reports the shortage once and keeps answering API requests. Clients wait until descriptors become
    /// free, and are then served.
    @Test("The proxy keeps running when descriptors run out", arguments: [1, 2, 3])
    func itSurvivesRunningOutOfDescriptors(threads: Int) throws {
        let upstream = try Upstream()
        let (running, port) = try scarce(threads, upstream)
        let crowd = try (0..<40).map { _ in try Peer(connectingTo: port) }
        #expect(running.tells("Too many open files: this process may have 40 descriptors"))
        // Proxied connections must not use up the descriptors reserved for the API.
        for _ in 0..<3 { #expect(try isHeard(by: running)) }
        // Each accepted connection has been connected to its upstream.
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

    /// The proxy uses one descriptor for each address that sends to a UDP port, and reserves some for the API.
    @Test("UDP senders leave reserved descriptors for the API", arguments: [1, 2])
    func sendersOfDatagramsLeaveSomeToOthers(threads: Int) throws {
        let server = try DatagramPeer()
        let proxy = #"[{"name":"p","listen":"udp:127.0.0.1:0","upstream":"udp:127.0.0.1:\#(server.port)"}]"#
        let (running, port) = try scarce(threads, proxy)
        let crowd = try (0..<60).map { _ in try DatagramPeer() }
        for (number, peer) in crowd.enumerated() { peer.send("\(number)", to: port) }
        #expect(running.tells("Too many open files: this process may have 40 descriptors"))
        // The requests are concurrent, because the reserve must suffice for several API clients.
        let clients = try (0..<3).map { _ in try Peer(connectingTo: running.port) }
        for client in clients { client.send("GET /version HTTP/1.1\r\nHost: a\r\n\r\n") }
        for client in clients { #expect(client.text(15, within: 5) == "HTTP/1.1 200 OK") }
        // Datagrams from the first sender are still forwarded.
        #expect(server.receive()?.text == "0")
        kill(running.process.processIdentifier, SIGTERM)
        #expect(running.status() == 0)
    }

    /// The proxy reserves an upstream descriptor for each connection that it accepts. The waiting clients are served as
    /// earlier ones finish.
    @Test("Every waiting client is served once descriptors are free", arguments: [1, 2, 3])
    func everyClientIsServed(threads: Int) throws {
        let upstream = try Upstream()
        // The upstream is dialled only once the client's request has arrived.
        let toxics = #"[{"type":"noop","only":{"path":"/none"}}]"#
        let (running, port) = try scarce(threads, upstream, toxics: toxics)
        // The clients connect one at a time, each only after the previous one has been accepted or left in the accept
        // queue.
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

    /// If the reserve is exhausted too, an accepted connection waits for a descriptor, like those in the accept queue.
    @Test(
        "A connection without a descriptor for its upstream is dialled once a descriptor is free",
        arguments: [1, 2, 3]
    )
    func anUpstreamIsDialledOnceThereIsADescriptor(threads: Int) throws {
        let upstream = try Upstream()
        let toxics = #"[{"type":"noop","only":{"path":"/none"}}]"#
        let (running, port) = try scarce(threads, upstream, toxics: toxics)
        let crowd = try (0..<4).map { _ in try Peer(connectingTo: port) }
        // API clients may use up the last descriptors: more clients connect than there are descriptors, and none of
        // them sends a request.
        let idle = try (0..<40).map { _ in try Peer(connectingTo: running.port) }
        #expect(running.tells("Too many open files: this process may have 40 descriptors"))
        for (number, peer) in crowd.enumerated() { peer.send("GET /\(number) HTTP/1.1\r\n\r\n") }
        #expect(upstream.accept(within: 0.3) == nil)
        for peer in idle { peer.close() }
        try answerAll(crowd, from: upstream)
        kill(running.process.processIdentifier, SIGTERM)
        #expect(running.status() == 0)
    }

    /// Answers each client with its own number and closes both sides.
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
            let index = try #require(Int(number), "\(request)")
            server.send("answer \(number)")
            #expect(crowd[index].text("answer \(number)".utf8.count) == "answer \(number)")
            crowd[index].close()
            server.close()
            left.remove(index)
        }
    }
}
