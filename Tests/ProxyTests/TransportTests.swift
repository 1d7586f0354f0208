import Foundation
import Proxy
import SquallCore
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Tests proxies over Unix sockets, IPv6 and UDP.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct TransportTests {
    private func listen(_ bench: Bench, _ name: String, _ listen: String, _ upstream: String) throws -> String {
        let body = #"{"name":"\#(name)","listen":"\#(listen)","upstream":"\#(upstream)"}"#
        let reply = try bench.call("POST", "/proxies", body)
        return try #require(reply["listen"].stringValue, "\(reply.body)")
    }

    private func port(_ address: String) -> Int { Int(address.split(separator: ":").last ?? "") ?? 0 }

    /// Three proxies are chained: TCP to a Unix socket, to IPv6, to TCP.
    @Test("The proxy forwards connections over Unix sockets and IPv6")
    func unixSocketsAndIPv6CarryConnections() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("squall-\(getpid()).sock").path
            let six = try listen(bench, "six", "[::1]:0", "localhost:\(upstream.port)")
            #expect(six.hasPrefix("[::1]:"))
            #expect(try listen(bench, "unix", "unix:\(path)", six) == "unix:\(path)")
            let four = try listen(bench, "four", "127.0.0.1:0", "unix:\(path)")
            let client = try Peer(connectingTo: port(four))
            client.send("through three")
            let server = try #require(upstream.accept())
            #expect(server.text(13) == "through three")
            server.send("back")
            server.close()
            let seen = client.receiveAll()
            #expect(String(decoding: seen.bytes, as: UTF8.self) == "back" && seen.end == .fin)
            #expect(try bench.call("DELETE", "/proxies/unix").status == 204)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test("A Unix socket whose proxy refused connections accepts them again")
    func aUnixSocketThatRefusedListensAgain() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("squall-r\(getpid()).sock").path
            _ = try listen(bench, "unix", "unix:\(path)", "127.0.0.1:\(upstream.port)")
            let four = try listen(bench, "four", "127.0.0.1:0", "unix:\(path)")
            for _ in 0..<2 {
                try bench.toxic("refuse", stream: "both", on: "unix")
                #expect(try Peer(connectingTo: port(four)).receiveAll().end == .rst)
                #expect(try bench.call("DELETE", "/proxies/unix/toxics/refuse").status == 204)
                let client = try Peer(connectingTo: port(four))
                client.send("open")
                #expect(upstream.accept()?.text(4) == "open")
            }
            try bench.toxic("refuse", stream: "both", on: "unix")
            #expect(try bench.call("DELETE", "/proxies/unix").status == 204)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    /// A Unix socket connects immediately, so new bytes must not overtake those already buffered.
    @Test("A Unix socket as upstream receives all bytes in order") func unixOrder() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("squall-o\(getpid()).sock").path
            _ = try listen(bench, "unix", "unix:\(path)", "127.0.0.1:\(upstream.port)")
            let four = try listen(bench, "four", "127.0.0.1:0", "unix:\(path)")
            let toxic = #"{"type":"latency","attributes":{"latency":0},"only":{"path":"/other"}}"#
            #expect(try bench.call("POST", "/proxies/four/toxics", toxic).status == 200)
            let request = "GET /x HTTP/1.1\r\nHost: a\r\n\r\nand on"
            for _ in 0..<100 {
                let client = try Peer(connectingTo: port(four))
                client.send(request)
                client.end()
                let seen = try #require(upstream.accept()).receiveAll()
                #expect(String(decoding: seen.bytes, as: UTF8.self) == request && seen.end == .fin)
            }
        }
    }

    /// A slow name server must delay only the request that needs it.
    @Test("Resolving a listener's host name does not block other requests") func listenerLookup() throws {
        let (asked, answered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        var options = ProxyServer.Options()
        options.lookUp = { endpoint in
            asked.signal()
            _ = answered.wait(timeout: .now() + 30)
            return Result { () throws(AddressError) in try Endpoint("127.0.0.1:0").resolve() }
        }
        try Bench.with(options) { bench in
            let upstream = try Upstream()
            let other = try bench.proxy("other", to: upstream.port)
            let body = #"{"name":"p","listen":"proxy.example:0","upstream":"127.0.0.1:\#(upstream.port)"}"#
            let head =
                "POST /proxies HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            let asking = try Peer(connectingTo: bench.port)
            asking.send(head + body)
            #expect(asked.wait(timeout: .now() + 10) == .success)
            let client = try Peer(connectingTo: other)
            client.send("meanwhile")
            #expect(upstream.accept()?.text(9) == "meanwhile")
            #expect(try bench.call("GET", "/version", within: 5).status == 200)
            answered.signal()
            let answer = String(decoding: asking.receiveAll().bytes, as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 201 ") && answer.contains(#""listen":"127.0.0.1:"#))
            #expect(bench.event("proxy.listening") { $0["proxy"] == "p" } != nil)
        }
    }

    /// A slow name server must not change the order of a schedule's steps.
    @Test("A schedule step that waits for name resolution is not overtaken by a later step")
    func scheduleLookup() throws {
        let (asked, answered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        var options = ProxyServer.Options()
        options.lookUp = { _ in
            asked.signal()
            _ = answered.wait(timeout: .now() + 30)
            return Result { () throws(AddressError) in try Endpoint("127.0.0.1:0").resolve() }
        }
        try Bench.with(options) { bench in
            let body = #"{"name":"p","listen":"proxy.example:0","upstream":"127.0.0.1:1","enabled":false}"#
            // A disabled proxy does not listen, so its host name is not resolved yet.
            let created = try bench.call("POST", "/proxies", body)
            #expect(created.status == 201)
            let schedule = #"{"name":"day","steps":[{"at":0,"enable":"p"},{"at":1,"disable":"p"}]}"#
            #expect(try bench.call("POST", "/schedules", schedule).status == 201)
            #expect(asked.wait(timeout: .now() + 10) == .success)
            answered.signal()
            #expect(bench.event("schedule.stepped") { $0["step"] == 1 } != nil)
            #expect(try bench.call("GET", "/proxies/p")["enabled"] == false)
        }
    }

    @Test("An upstream host name that cannot be resolved resets the client and is reported")
    func upstreamLookup() throws {
        try Bench.with { bench in
            let address = try listen(bench, "p", "127.0.0.1:0", "no-such-host.invalid:80")
            #expect(try Peer(connectingTo: port(address)).receiveAll(within: 30).end == .rst)
            #expect(bench.event("trouble")?["message"]?.stringValue?.contains("no-such-host.invalid") == true)
        }
    }

    /// With several threads, each proxy runs on a different one.
    @Test("Datagrams are forwarded, delayed and lost", arguments: [1, 3])
    func datagramsPassAreLateAndGetLost(threads: Int) throws {
        var options = ProxyServer.Options()
        options.threads = threads
        try Bench.with(options) { bench in
            let addresses = try ["p", "q", "r"].map { try datagramsPassAreLateAndGetLost(bench, $0) }
            for (name, address) in zip(["p", "q", "r"], addresses) {
                #expect(try bench.call("DELETE", "/proxies/\(name)").status == 204)
                // The port of the deleted proxy must be free again.
                _ = try listen(bench, "again \(name)", address, "udp:127.0.0.1:1")
            }
        }
    }

    /// Tests a UDP proxy and returns the address on which it was listening.
    private func datagramsPassAreLateAndGetLost(_ bench: Bench, _ name: String) throws -> String {
        let server = try DatagramPeer()
        let address = try listen(bench, name, "udp:127.0.0.1:0", "udp:127.0.0.1:\(server.port)")
        let client = try DatagramPeer()
        client.send("one", to: port(address))
        let (text, from) = try #require(server.receive())
        #expect(text == "one")
        server.send("two", to: from)
        #expect(client.receive()?.text == "two")
        // Even an empty datagram is forwarded, without delaying the datagram that follows it.
        for text in ["", "three"] { server.send(text, to: from) }
        #expect(client.receive()?.text == "")
        #expect(client.receive()?.text == "three")
        try bench.call("POST", "/proxies/\(name)/toxics", #"{"type":"latency","attributes":{"latency":100}}"#)
        let began = Date()
        server.send("late", to: from)
        #expect(client.receive()?.text == "late")
        #expect(Date().timeIntervalSince(began) >= 0.1)
        try bench.call("POST", "/reset")
        try bench.call(
            "POST",
            "/proxies/\(name)/toxics",
            #"{"type":"blackhole","stream":"upstream","toxicity":0.5}"#
        )
        for number in 0..<40 { client.send("\(number)", to: port(address)) }
        var got = 0
        while server.receive(within: 0.2) != nil { got += 1 }
        #expect(8...32 ~= got)
        try bench.call("POST", "/reset")
        // Once the upstream has changed, datagrams from an existing client go to the new one.
        let other = try DatagramPeer()
        let elsewhere = #"{"upstream":"udp:127.0.0.1:\#(other.port)"}"#
        #expect(try bench.call("POST", "/proxies/\(name)", elsewhere).status == 200)
        client.send("elsewhere", to: port(address))
        #expect(other.receive()?.text == "elsewhere")
        return address
    }

    /// A socket that listens on all addresses sees IPv4 clients under IPv4-mapped IPv6 addresses.
    @Test("A listener on all addresses reports IPv4 clients by their IPv4 address")
    func anIPv4ClientOfEveryAddressIsOne() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let address = try listen(bench, "p", ":0", ":\(upstream.port)")
            let toxic = #"{"type":"limit_data","attributes":{"bytes":3},"only":{"client":"127.0.0."}}"#
            #expect(try bench.call("POST", "/proxies/p/toxics", toxic).status == 200)
            let client = try Peer(connectingTo: port(address))
            let server = try #require(upstream.accept())
            server.send("answer")
            #expect(String(decoding: client.receiveAll().bytes, as: UTF8.self) == "ans")
            #expect(bench.event("link.accepted")?["client"]?.stringValue?.hasPrefix("127.0.0.1:") == true)
        }
    }

    @Test("A UDP port on all addresses reports IPv4 senders by their IPv4 address")
    func anIPv4SenderToEveryAddressIsOne() throws {
        try Bench.with { bench in
            let server = try DatagramPeer()
            let address = try listen(bench, "p", "udp::0", "udp::\(server.port)")
            let client = try DatagramPeer()
            client.send("there", to: port(address))
            let (text, from) = try #require(server.receive())
            #expect(text == "there")
            server.send("back", to: from)
            #expect(client.receive()?.text == "back")
            #expect(bench.event("link.datagrams")?["client"]?.stringValue == "127.0.0.1:\(client.port)")
        }
    }
}
