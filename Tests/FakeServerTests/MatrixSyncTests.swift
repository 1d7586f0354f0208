import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

/// Tests Matrix's `/sync`, and sending messages with a request whose path contains placeholders.
@Suite struct MatrixSyncTests {
    private static func wire() throws -> WireProfile {
        let event: JSON = [
            "type": "message", "room_id": "!{conversation_id}", "event_id": "{message_id}", "sender": "{sender_id}",
            "at": "{timestamp}", "body": "{text}",
            "unsigned": ["key": "{client_message_id?}", "squall.order": "{seq}"],
        ]
        var ours: JSON = [
            "connect": ["frame": ["type": "connect", "token": "{api_key}", "session": "{session_id?}"]],
            "sync": ["frame": ["type": "sync", "since": "s{last_seq_seen}"]],
        ]
        var theirs: JSON = [
            "connected": [
                "frame": [
                    "type": "connected", "session": "{session_id}", "resumed": "{resumed}", "newest": "{last_seq}",
                ]
            ],
            "message": ["frame": event],
            "replay": [
                Self.replay(complete: true), Self.replay(complete: false),
            ],
            "error": [
                "frame": [
                    "type": "failed", "errcode": "{code}", "error": "{message}", "retry_after_ms": "{retry_after_ms?}",
                ]
            ],
        ]
        for role in FrameRole.fromClient where ours[role.rawValue] == nil { ours.set(role.rawValue, to: "none") }
        for role in FrameRole.fromServer where theirs[role.rawValue] == nil { theirs.set(role.rawValue, to: "none") }
        let send: JSON = [
            "method": "PUT", "path": "/rooms/!{conversation_id}/send/{client_message_id}", "key": "Bearer",
            "send": ["frame": ["body": "{text}"]], "answer": ["event_id": "{message_id}"],
        ]
        let frames: JSON = [
            "polling": "matrix-sync", "client": ours, "server": theirs, "http": ["send": send],
            "objects": ["message": event],
        ]
        var wire = WireProfile(webSocketPath: "/sync")
        wire.frames = try FrameMap.read(frames).get()
        return wire
    }

    private static func replay(complete: Bool) -> JSON {
        let frame: JSON = [
            "type": "missed", "next_batch": "s{last_seq}", "limited": .bool(!complete), "events": "{messages}",
        ]
        return ["when": ["complete": .bool(complete)], "frame": frame]
    }

    private struct Client {
        var stage: Stage

        init() throws { stage = Stage(wire: try MatrixSyncTests.wire()) }

        mutating func request(
            _ method: String,
            _ target: String,
            _ body: String = "",
            key: String = "key-1"
        ) -> LinkID {
            let headers: HTTPHeaders = [
                "Host": "chat.test", "Authorization": "Bearer \(key)", "Content-Length": String(body.utf8.count),
            ]
            let id = stage.dial("anna")
            let head = HTTPRequestHead(method: method, target: target, headers: headers)
            stage.send(head.encode() + Array(body.utf8), on: id)
            return id
        }

        mutating func sync(_ since: String? = nil) -> LinkID {
            request("GET", "/sync?timeout=30000" + (since.map { "&since=\($0)" } ?? ""))
        }

        mutating func post(_ text: String) throws {
            try stage.act("post", [("to", .text("stukov")), ("text", .text(text))])
        }

        /// The sync position and the message texts in the response; nil while the request is pending.
        func answer(_ id: LinkID) throws -> String? {
            guard let response = stage.response(id) else { return nil }
            let body = try JSON.decode(response.body)
            guard let next = body["next_batch"]?.stringValue else { return "\(response.status) \(body)" }
            let timeline = body["rooms"]?["join"]?["!stukov"]?["timeline"]
            let texts = (timeline?["events"]?.arrayValue ?? []).compactMap { $0["body"]?.stringValue }
            return ([next] + texts + (timeline?["limited"] == true ? ["limited"] : [])).joined(separator: " ")
        }
    }

    @Test("The first sync request is answered at once; later ones wait for an event or their timeout")
    func waits() throws {
        var client = try Client()
        let first = client.sync()
        client.stage.advance(.zero)
        #expect(try client.answer(first) == "s0")
        let second = client.sync("s0")
        client.stage.advance(.seconds(29))
        #expect(try client.answer(second) == nil)
        client.stage.advance(.seconds(2))
        #expect(try client.answer(second) == "s0")
        let third = client.sync("s0")
        try client.post("hello")
        #expect(try client.answer(third) == "s1 hello")
        #expect(client.stage.named("server.sent.connected").count == 1)
    }

    @Test("A client that repeats its position receives the events of a lost response again")
    func lostResponse() throws {
        var client = try Client()
        _ = client.sync()
        client.stage.advance(.zero)
        try client.post("one")
        let lost = client.sync("s0")
        #expect(try client.answer(lost) == "s1 one")
        let again = client.sync("s0")
        #expect(try client.answer(again) == "s1 one")
        #expect(client.stage.named("server.sent.connected").count == 2)
        try client.post("two")
        let next = client.sync("s1")
        #expect(try client.answer(next) == "s2 two")
    }

    @Test("A session ends with its pending request, and the client's next request resumes it")
    func returns() throws {
        var client = try Client()
        _ = client.sync()
        client.stage.advance(.zero)
        let pending = client.sync("s0")
        client.stage.give(.ended(pending, .rst))
        #expect(client.stage.named("server.closed").count >= 1)
        try client.post("missed")
        let back = client.sync("s0")
        #expect(try client.answer(back) == "s1 missed")
        let connected = client.stage.named("server.sent.connected").map(\.fields)
        #expect(connected.map { $0["resumed"] } == [false, true])
    }

    @Test("A session without a request ends after 30 s; a session with a pending request stays open")
    func absence() throws {
        var client = try Client()
        _ = client.sync()
        client.stage.advance(.seconds(29))
        let pending = client.request("GET", "/sync?since=s0&timeout=3600000")
        client.stage.advance(.seconds(300))
        #expect(try client.answer(pending) == nil)
        try client.post("hello")
        #expect(try client.answer(pending) == "s1 hello")
        let connections = client.stage.named("server.sent.connected").count
        client.stage.advance(.seconds(61))
        _ = client.sync("s1")
        #expect(client.stage.named("server.sent.connected").count == connections + 1)
    }

    @Test("A PUT repeated with the same path stores one message, which is echoed to its sender")
    func sends() throws {
        var client = try Client()
        _ = client.sync()
        client.stage.advance(.zero)
        let pending = client.sync("s0")
        let sent = client.request("PUT", "/rooms/%21stukov/send/c-1", #"{"body":"hi"}"#)
        let repeated = client.request("PUT", "/rooms/%21stukov/send/c-1", #"{"body":"hi"}"#)
        let events = [sent, repeated].compactMap { client.stage.response($0)?.body }
        #expect(events.count == 2 && events[0] == events[1])
        #expect(client.stage.named("server.stored").count == 1)
        #expect(client.stage.named("server.stored").first?.fields["conversation"] == "stukov")
        #expect(try client.answer(pending) == "s1 hi")
        let other = client.request("PUT", "/rooms/stukov/send/c-2", #"{"body":"hi"}"#)
        #expect(client.stage.response(other)?.status == 400)
    }

    @Test("An error response has the form that the profile defines and includes the retry delay")
    func errors() throws {
        var client = try Client()
        let refused = client.request("GET", "/sync", key: "wrong")
        #expect(try client.answer(refused)?.contains(#""errcode":"not_authenticated""#) == true)
        let limit: [(name: String, value: ArgumentValue)] = [
            ("route", .text("ws")), ("status", .integer(429)), ("retry_after", .duration(.seconds(3))),
        ]
        try client.stage.act("fail", limit)
        let limited = client.sync()
        #expect(try client.answer(limited)?.hasSuffix(#""retry_after_ms":3000}"#) == true)
        #expect(client.stage.named("server.sent.connected").isEmpty)
    }

    @Test("A sync position that the server never issued is answered with 404")
    func wrongPosition() throws {
        var client = try Client()
        let wrong = client.sync("later")
        #expect(client.stage.response(wrong)?.status == 404)
    }

    @Test("A profile's polling protocol must be engine-io or matrix-sync")
    func unknownPolling() throws {
        guard case .failure(let list) = FrameMap.read(["polling": "long", "client": [:], "server": [:]]) else {
            Issue.record("the profile is accepted")
            return
        }
        #expect(list.mistakes.contains { $0.message == "'polling' must be engine-io or matrix-sync" })
    }
}
