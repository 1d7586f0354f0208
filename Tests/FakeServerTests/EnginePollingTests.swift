import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

/// Tests Engine.IO's HTTP long polling, and the upgrade to a WebSocket.
@Suite struct EnginePollingTests {
    private static func wire(polling: Bool = true) throws -> WireProfile {
        var ours: JSON = [
            "connect": ["text": "40", "frame": ["token": "{api_key}"]],
            "pong": ["text": "3"],
            "send": ["text": "42{$ref}", "frame": ["say", ["room": "{conversation_id}", "text": "{text}"]]],
        ]
        var theirs: JSON = [
            "hello": [
                "text": "0", "frame": ["sid": "none", "upgrades": [], "pingInterval": "{heartbeat_interval_ms}"],
                "assume": ["version": "4", "auth_version": 1],
            ],
            "connected": [
                "text": "40", "frame": ["sid": "{session_id}"], "assume": ["resumed": false, "last_seq": 0],
            ],
            "auth_error": ["text": "44", "frame": ["message": "{message}"]],
            "ping": ["text": "2"],
            "confirm": [
                "answers": "send", "text": "43{$ref}", "frame": [["seq": "{seq}"]],
                "assume": ["message_id": "", "timestamp": 0, "duplicate": false],
            ],
            "message": [
                "text": "42", "frame": ["said", "{text}"],
                "assume": ["message_id": "", "timestamp": 0, "seq": 0, "sender_id": "x", "conversation_id": "x"],
            ],
        ]
        for role in FrameRole.fromClient where ours[role.rawValue] == nil { ours.set(role.rawValue, to: "none") }
        for role in FrameRole.fromServer where theirs[role.rawValue] == nil { theirs.set(role.rawValue, to: "none") }
        var frames: JSON = [
            "client": ours, "server": theirs, "extras": ["leave": ["text": "41"], "close": ["text": "1"]],
        ]
        if polling { frames.set("polling", to: "engine-io") }
        var wire = WireProfile()
        wire.frames = try FrameMap.read(frames).get()
        return wire
    }

    /// A simulated client that uses polling.
    private struct Client {
        var stage: Stage

        init(polling: Bool = true) throws {
            var profile = ServerProfile()
            profile.heartbeat.interval = .seconds(25)
            stage = Stage(profile: profile, wire: try EnginePollingTests.wire(polling: polling))
        }

        mutating func request(_ method: String, _ query: String, _ body: String = "") -> LinkID {
            let headers: HTTPHeaders = ["Host": "chat.test", "Content-Length": String(body.utf8.count)]
            let target = stage.wire.webSocketPath + "?EIO=4&" + query
            let head = HTTPRequestHead(method: method, target: target, headers: headers)
            let id = stage.dial("anna")
            stage.send(head.encode() + Array(body.utf8), on: id)
            return id
        }

        /// Returns the response body, with vertical bars between the packets; nil while the request is pending.
        func answer(_ id: LinkID) -> String? {
            stage.response(id).map { response in
                String(decoding: response.body, as: UTF8.self).replacing("\u{1E}", with: "|")
            }
        }

        mutating func poll() -> LinkID { request("GET", "transport=polling&sid=polling-1") }

        mutating func post(_ body: String) -> String? { fetch("POST", "transport=polling&sid=polling-1", body) }

        /// Sends a poll request and returns its immediate response; nil if the request stays pending.
        mutating func polled() -> String? { fetch("GET", "transport=polling&sid=polling-1") }

        mutating func fetch(_ method: String, _ query: String, _ body: String = "") -> String? {
            let id = request(method, query, body)
            return answer(id)
        }

        /// Opens a session, logs in, and returns the pending poll request.
        mutating func logIn() -> LinkID {
            _ = request("GET", "transport=polling")
            _ = post(#"40{"token":"key-1"}"#)
            _ = poll()
            return poll()
        }

        mutating func webSocket() -> LinkID {
            stage.open("anna", query: "?EIO=4&transport=websocket&sid=polling-1")
        }

        func texts(_ id: LinkID) -> [String] {
            stage.oddities(id).compactMap { if case .text(let text) = $0 { text } else { nil } }
        }
    }

    @Test("A session is opened, authenticated and polled over HTTP")
    func session() throws {
        var client = try Client()
        let opened = client.request("GET", "transport=polling")
        #expect(client.answer(opened) == #"0{"sid":"polling-1","upgrades":["websocket"],"pingInterval":25000}"#)
        let poll = client.poll()
        #expect(client.answer(poll) == nil)
        #expect(client.post(#"40{"token":"key-1"}"#) == "ok")
        #expect(client.answer(poll)?.hasPrefix("40{") == true)
        // While no poll is pending, the server keeps its packets for the next poll.
        #expect(client.post("421[\"say\",{\"room\":\"stukov\",\"text\":\"hi\"}]\u{1E}3") == "ok")
        try client.stage.act("post", [("to", .text("stukov")), ("text", .text("hello"))])
        #expect(client.polled() == #"431[{"seq":1}]|42["said","hello"]"#)
        #expect(client.stage.named("server.received.pong").count == 1)
        #expect(client.stage.named("server.protocol_error").isEmpty)
    }

    @Test("A wrong key is refused by a packet, after which the session is closed")
    func wrongKey() throws {
        var client = try Client()
        _ = client.request("GET", "transport=polling")
        let poll = client.poll()
        #expect(client.post(#"40{"token":"wrong"}"#) == "ok")
        #expect(client.answer(poll)?.hasPrefix("44{") == true)
        #expect(client.stage.named("server.closed").contains { $0.fields["code"] == 1008 })
    }

    @Test("Unknown sessions and invalid requests are refused")
    func refusals() throws {
        var client = try Client()
        let unknown = client.poll()
        #expect(client.stage.response(unknown)?.status == 400)
        #expect(client.answer(unknown) == #"{"code":1,"message":"Session ID unknown"}"#)
        #expect(client.post("40") == #"{"code":1,"message":"Session ID unknown"}"#)
        let put = client.request("PUT", "transport=polling&sid=polling-1")
        #expect(client.answer(put) == #"{"code":2,"message":"Bad handshake method"}"#)
        let socket = client.webSocket()
        #expect(client.stage.response(socket)?.status == 400)
    }

    @Test("A client that begins with polling is refused if the profile does not allow polling")
    func notSupported() throws {
        var client = try Client(polling: false)
        let opened = client.request("GET", "transport=polling")
        #expect(client.stage.response(opened)?.status != 200)
        #expect(client.stage.named("server.protocol_error").count == 1)
    }

    @Test("An upgrade from polling to a WebSocket keeps the login and delivers the messages not yet polled")
    func upgrade() throws {
        var client = try Client()
        let poll = client.logIn()
        let socket = client.webSocket()
        #expect(client.texts(socket).isEmpty)
        client.stage.say("2probe", on: socket)
        #expect(client.texts(socket) == ["3probe"])
        // The server answers the pending poll request, so that the client can stop polling and upgrade.
        #expect(client.answer(poll) == "6")
        try client.stage.act("post", [("to", .text("stukov")), ("text", .text("between"))])
        client.stage.say("5", on: socket)
        try client.stage.act("post", [("to", .text("stukov")), ("text", .text("after"))])
        client.stage.say("427[\"say\",{\"room\":\"stukov\",\"text\":\"hi\"}]", on: socket)
        #expect(
            client.texts(socket) == [
                "3probe", #"42["said","between"]"#, #"42["said","after"]"#, #"437[{"seq":3}]"#,
            ]
        )
        client.stage.advance(.seconds(26))
        #expect(client.texts(socket).last == "2")
        #expect(client.stage.named("server.sent.connected").count == 1)
        #expect(client.polled() == #"{"code":1,"message":"Session ID unknown"}"#)
        #expect(client.stage.named("server.closed").isEmpty == false)
    }

    @Test("A WebSocket that sends another packet before the upgrade is closed, and the polling session continues")
    func wrongUpgrade() throws {
        var client = try Client()
        let poll = client.logIn()
        let socket = client.webSocket()
        client.stage.say("3", on: socket)
        #expect(client.stage.close(socket)?.code == CloseCode(1008))
        try client.stage.act("post", [("to", .text("stukov")), ("text", .text("hello"))])
        #expect(client.answer(poll) == #"42["said","hello"]"#)
    }

    @Test("A session ends when the connection of its pending poll ends", arguments: [LinkEnd.fin, .rst])
    func dropped(_ end: LinkEnd) throws {
        var client = try Client()
        let poll = client.logIn()
        client.stage.hangUp(poll, end)
        #expect(client.polled() == #"{"code":1,"message":"Session ID unknown"}"#)
    }

    @Test("A client that does not answer pings loses its session")
    func silence() throws {
        var client = try Client()
        let poll = client.logIn()
        client.stage.advance(.seconds(26))
        #expect(client.answer(poll) == "2")
        client.stage.advance(.seconds(20))
        #expect(client.post("3") == #"{"code":1,"message":"Session ID unknown"}"#)
    }

    @Test("A client that answers pings keeps its session")
    func heartbeat() throws {
        var client = try Client()
        var poll = client.logIn()
        for _ in 1...4 {
            client.stage.advance(.seconds(25))
            #expect(client.answer(poll) == "2")
            #expect(client.post("3") == "ok")
            poll = client.poll()
        }
        try client.stage.act("post", [("to", .text("stukov")), ("text", .text("hello"))])
        #expect(client.answer(poll) == #"42["said","hello"]"#)
    }

    @Test("A close packet from the server or the client ends the session")
    func closing() throws {
        var client = try Client()
        let poll = client.logIn()
        try client.stage.act("close", [("code", .integer(1001))])
        #expect(client.answer(poll) == "1")
        #expect(client.polled()?.contains("unknown") == true)
        _ = client.request("GET", "transport=polling")
        #expect(client.fetch("POST", "transport=polling&sid=polling-2", "1") == "ok")
        #expect(client.fetch("GET", "transport=polling&sid=polling-2")?.contains("unknown") == true)
    }

    @Test("After 'vanish' the pending poll gets no response, and the session ID is unknown")
    func vanished() throws {
        var client = try Client()
        let poll = client.logIn()
        try client.stage.act("vanish")
        #expect(client.post("3") == #"{"code":1,"message":"Session ID unknown"}"#)
        try client.stage.act("post", [("to", .text("stukov")), ("text", .text("hello"))])
        client.stage.advance(.seconds(120))
        #expect(client.answer(poll) == nil)
        #expect(client.stage.end(poll) == nil)
    }

    @Test("A restart ends the pending poll")
    func restart() throws {
        var client = try Client()
        let poll = client.logIn()
        try client.stage.act("restart", [("down", .duration(.seconds(1)))])
        #expect(client.stage.end(poll) != nil)
        client.stage.advance(.seconds(2))
        #expect(client.polled()?.contains("unknown") == true)
    }
}
