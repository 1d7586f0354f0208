import Foundation
import Proxy
import SquallCore
import TestSupport
import Testing

/// Tests toxics and features that Toxiproxy does not have.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct BeyondTests {
    @Test("'stall' holds bytes and releases them when the toxic is removed") func aStallHoldsAndReleases() throws {
        try ToxicTests.Pair.with { pair in
            try pair.bench.toxic("stall", stream: "both")
            pair.server.send("held")
            #expect(pair.client.receive(1, within: 0.2).end == .silence)
            try pair.bench.call("DELETE", "/proxies/p/toxics/stall")
            #expect(pair.client.text(4) == "held")
        }
    }

    @Test("A connection lost by blackhole stays lost after the toxic is removed") func blackhole() throws {
        try ToxicTests.Pair.with { pair in
            try pair.bench.toxic("blackhole", stream: "both")
            pair.server.send("gone")
            #expect(pair.client.receive(1, within: 0.2).end == .silence)
            try pair.bench.call("DELETE", "/proxies/p/toxics/blackhole")
            pair.server.send("gone")
            #expect(pair.client.receive(1, within: 0.2).end == .silence)
        }
    }

    @Test("half_open with answer reset resets the client after its next byte")
    func aHalfOpenConnectionAnswersWithAReset() throws {
        try ToxicTests.Pair.with { pair in
            try pair.bench.toxic("half_open", #"{"answer":"reset"}"#, stream: "both")
            #expect(pair.server.receiveAll().end == .rst)
            #expect(pair.client.receive(1, within: 0.2).end == .silence)
            pair.client.send("x")
            #expect(pair.client.receiveAll().end == .rst)
        }
    }

    @Test("accept_then_close ends new connections with FIN or RST as configured", arguments: ["fin", "rst"])
    func newConnectionsAreEndedAtOnce(how: String) throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            try bench.toxic("accept_then_close", #"{"how":"\#(how)"}"#)
            #expect(try Peer(connectingTo: port).receiveAll().end == (how == "fin" ? .fin : .rst))
            #expect(upstream.accept(within: 0.1) == nil)
        }
    }

    @Test("'cut' ends a connection after the given byte") func aConnectionBreaksAtItsByte() throws {
        try ToxicTests.Pair.with { pair in
            try pair.bench.toxic("cut", #"{"at_byte":3,"how":"rst"}"#)
            pair.server.send("abcdef")
            let seen = pair.client.receiveAll()
            #expect(String(decoding: seen.bytes, as: UTF8.self) == "abc" && seen.end == .rst)
        }
    }

    @Test("'corrupt' changes exactly one byte, and can change the first byte", arguments: [0, 2])
    func corruptChangesOneByte(place: Int) throws {
        try ToxicTests.Pair.with { pair in
            try pair.bench.toxic("corrupt", #"{"at_byte":\#(place)}"#)
            pair.server.send("aaaaa")
            let bytes = pair.client.receive(5).bytes
            #expect(bytes.indices.filter { bytes[$0] != 0x61 } == [place])
        }
    }

    @Test("'flap' alternates between outages and normal service") func aFlapGoesAndComes() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            try bench.toxic("flap", #"{"up":200,"down":200,"outage":"refuse"}"#)
            #expect(throws: Peer.Failure.self) { try Peer(connectingTo: port) }
            #expect(bench.event("toxic.up") != nil)
            _ = try Peer(connectingTo: port)
            #expect(bench.event("toxic.down") != nil)
        }
    }

    @Test("only.connections selects connections by their number") func toxicsChooseTheirConnections() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(
                to: upstream.port,
                toxics: #"[{"type":"reset_peer","only":{"connections":[2]}}]"#
            )
            var ends: [Bool] = []
            for _ in 0..<3 {
                let client = try Peer(connectingTo: port)
                let isReset = client.receiveAll(within: 0.3).end == .rst
                ends.append(isReset)
            }
            #expect(ends == [false, true, false])
        }
    }

    @Test("only.path and only.header select connections by their HTTP request")
    func toxicsChooseByPathAndHeader() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let toxics = #"""
                [{"type":"upgrade_status","name":"s","attributes":{"status":503},"only":{"path":"/ws*"}},
                 {"type":"reset_peer","name":"r","only":{"header":{"name":"X-Client","contains":"bad"}}}]
                """#
            let port = try bench.proxy(to: upstream.port, toxics: toxics)
            func ask(_ path: String, _ header: String) throws -> Peer {
                let client = try Peer(connectingTo: port)
                client.send("GET \(path) HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\(header)\r\n\r\n")
                return client
            }
            let refused = try ask("/ws/1?token=2", "X-Client: good").receiveAll()
            #expect(String(decoding: refused.bytes, as: UTF8.self).hasPrefix("HTTP/1.1 503 "))
            #expect(try ask("/other", "X-Client: very bad").receiveAll().end == .rst)
            _ = upstream.accept()
            let passes = try ask("/other", "X-Client: good")
            let server = try #require(upstream.accept())
            #expect(server.text(3) == "GET")
            server.send("fine")
            #expect(passes.text(4) == "fine")
        }
    }

    @Test("A schedule performs its steps at the given times and on the given events")
    func aScheduleDoesItsStepsInTimeAndOnEvents() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let schedule = #"""
                {"name": "day", "steps": [
                  {"at": 0, "add": {"proxy": "p", "toxic": {"type": "refuse", "name": "closed"}}, "for": 100},
                  {"on": {"event": "link.accepted", "nth": 2}, "after": 50, "disable": "p"}]}
                """#
            #expect(try bench.call("POST", "/schedules", schedule).status == 201)
            #expect(bench.event("toxic.removed") { $0["toxic"] == "closed" } != nil)
            let first = try Peer(connectingTo: port)
            _ = try Peer(connectingTo: port)
            #expect(first.receiveAll().end == .fin)
            #expect(try bench.call("GET", "/proxies/p")["enabled"] == false)
            #expect(try bench.call("DELETE", "/schedules/day").status == 204)
            #expect(try bench.call("DELETE", "/schedules/day").status == 404)
            let wrong = try bench.call("POST", "/schedules", #"{"name":"x","steps":[{"att":5,"reset":true}]}"#)
            #expect(wrong.status == 400)
            #expect(wrong["error"].stringValue?.contains("unknown key 'att'") == true)
        }
    }

    @Test("A schedule reports its progress and is refused if it names a toxic that does not exist")
    func scheduleProgress() throws {
        try Bench.with { bench in
            _ = try bench.proxy(to: 1)
            let schedule = #"""
                {"name": "day", "steps": [
                  {"at": 0, "add": {"proxy": "p", "toxic": {"type": "stall", "name": "s"}}},
                  {"at": 3600000, "remove": {"proxy": "p", "toxic": "s"}},
                  {"on": {"event": "link.accepted", "proxy": "p"}, "disable": "p"}]}
                """#
            #expect(try bench.call("POST", "/schedules", schedule).status == 201)
            #expect(bench.event("toxic.added") != nil)
            let told = try bench.call("GET", "/schedules")["day"]
            let progress = try #require(told["progress"]?.arrayValue)
            #expect(progress.map { $0["done"] } == [1, 0, 0])
            #expect(progress[0]["due_in"]?.isNull == true && progress[2]["due_in"]?.isNull == true)
            #expect(3_000_000...3_600_000 ~= progress[1]["due_in"]?.intValue ?? 0)
            // A schedule returned by the API can be posted back to re-create it.
            #expect(try bench.call("POST", "/schedules", "\(told)").status == 201)
            for (step, place) in [
                (#"{"at":0,"disable":"pp"}"#, "disable"), (#"{"at":0,"enable":"pp"}"#, "enable"),
                (#"{"at":0,"add":{"proxy":"pp","toxic":{"type":"stall"}}}"#, "add.proxy"),
                (#"{"at":0,"remove":{"proxy":"pp","toxic":"s"}}"#, "remove.proxy"),
                (#"{"at":0,"update":{"proxy":"pp","toxic":"s","toxicity":1}}"#, "update.proxy"),
                (#"{"on":{"event":"link.accepted","proxy":"pp"},"disable":"p"}"#, "on.proxy"),
            ] {
                let reply = try bench.call("POST", "/schedules", #"{"name":"x","steps":[\#(step)]}"#)
                #expect(reply.status == 400)
                #expect(
                    reply["error"].stringValue
                        == "bad request body: schedule.steps[0].\(place): unknown proxy 'pp'; did you mean 'p'?"
                )
                let file = #"{"proxies":[],"schedules":[{"name":"x","steps":[\#(step)]}]}"#
                #expect(throws: ProxyFile.Mistake.self) { try ProxyFile(Array(file.utf8)) }
            }
            #expect(try bench.call("GET", "/schedules")["x"].isNull)
        }
    }

    @Test("upgrade_status can answer any request with a configured page") func aRequestIsAnsweredWithAPage() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let attributes = #"{"status":429,"retry_after":1500,"page":"<p>later</p>","requests":"all"}"#
            let port = try bench.proxy(
                to: upstream.port,
                toxics: #"[{"type":"upgrade_status","attributes":\#(attributes)}]"#
            )
            let client = try Peer(connectingTo: port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = String(decoding: client.receiveAll().bytes, as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 429 Too Many Requests\r\n"))
            #expect(answer.contains("Retry-After: 2\r\n") && answer.hasSuffix("\r\n\r\n<p>later</p>"))
        }
    }

    @Test("slow_http has separate rates for headers and body") func headsAndBodiesComeAtTheirOwnRates() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(
                to: upstream.port,
                toxics: #"[{"type":"slow_http","attributes":{"headers":100,"body":10000}}]"#
            )
            let client = try Peer(connectingTo: port)
            let server = try #require(upstream.accept())
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
            server.send(Array(head.utf8) + [UInt8](repeating: 0x62, count: 1000))
            let began = Date()
            #expect(client.text(head.utf8.count) == head)
            let headTime = Date().timeIntervalSince(began)
            #expect(client.receive(1000).bytes.count == 1000)
            let bodyTime = Date().timeIntervalSince(began) - headTime
            #expect(0.35...1 ~= headTime && 0.08...0.6 ~= bodyTime)
        }
    }

    @Test("since beyond the range of event numbers gives no events")
    func eventsSinceALargeNumber() throws {
        try Bench.with { bench in
            _ = try bench.proxy(to: 1)
            #expect(try bench.call("GET", "/events?since=0").body.contains("proxy.listening"))
            for number in ["9223372036854775807", "18446744073709551615", "99999999999999999999999"] {
                #expect(try bench.call("GET", "/events?since=\(number)").body == "", "\(number)")
            }
        }
    }

    @Test("An error in 'only' has the prefix of errors in a body") func errorInOnly() throws {
        try Bench.with { bench in
            _ = try bench.proxy(to: 1)
            let reply = try bench.call("POST", "/proxies/p/toxics", #"{"type":"noop","only":{"conections":[1]}}"#)
            #expect(reply.status == 400)
            #expect(reply["error"].stringValue?.hasPrefix("bad request body: only: unknown key") == true, "\(reply)")
        }
    }

    @Test("/events?follow=1 streams events as they occur") func eventsCanBeFollowed() throws {
        try Bench.with { bench in
            let peer = try Peer(connectingTo: bench.port)
            peer.send("GET /events?follow=1 HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(peer.text(15) == "HTTP/1.1 200 OK")
            _ = try bench.proxy(to: 1)
            var seen = ""
            while !seen.contains("proxy.listening"), case let more = peer.text(10), !more.isEmpty { seen += more }
            #expect(seen.contains("Transfer-Encoding: chunked") && seen.contains("proxy.listening"))
        }
    }

    @Test("'frames' drops messages of the given type on an open connection and reports them")
    func framesAreDroppedByType() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let body =
                #"{"name":"p","listen":"127.0.0.1:0","protocol":"http","upstream":"127.0.0.1:\#(upstream.port)"}"#
            let listen = try bench.call("POST", "/proxies", body)["listen"].stringValue ?? ""
            let client = try Peer(connectingTo: Int(listen.split(separator: ":").last ?? "") ?? 0)
            let head = "GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
            client.send(head)
            let server = try #require(upstream.accept())
            #expect(server.text(head.utf8.count) == head)
            let answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
            server.send(answer)
            #expect(client.text(answer.utf8.count) == answer)
            func frame(_ text: String) -> [UInt8] { [0x81, UInt8(text.utf8.count)] + Array(text.utf8) }
            server.send(frame(#"{"type":"hello"}"#))
            #expect(client.receive(18).bytes == frame(#"{"type":"hello"}"#))
            try bench.toxic("frames", #"{"action":"drop","type":"ack"}"#)
            server.send(frame(#"{"type":"ack"}"#) + frame(#"{"type":"end"}"#))
            #expect(client.receive(16).bytes == frame(#"{"type":"end"}"#))
            #expect(bench.event("link.requested")?["target"] == "/chat")
            #expect(bench.event("link.frame") { $0["bytes"] == 16 } != nil)
            #expect(bench.event("link.frames")?["action"] == "drop")
        }
    }
}
