import ChatWire
import Deflate
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

/// Tests the server with `compression: zlib-stream`, which a client requests in the URL of its WebSocket.
@Suite struct StreamCompressionTests {
    private static func wire(_ further: JSON = [:]) throws -> WireProfile {
        var ours: JSON = [
            "connect": ["frame": ["op": "login", "key": "{api_key}"]],
            "send": [
                "frame": ["op": "say", "n": "{$ref}", "text": "{text}"], "assume": ["conversation_id": "stukov"],
            ],
        ]
        var theirs: JSON = [
            "connected": ["frame": ["op": "hi", "s": "{session_id}", "r": "{resumed}", "n": "{last_seq}"]],
            "confirm": [
                "answers": "send", "frame": ["op": "ok", "n": "{$ref}", "id": "{message_id}", "seq": "{seq}"],
                "assume": ["timestamp": 0, "duplicate": false],
            ],
            "message": [
                "frame": [
                    "op": "said", "m": "{message_id}", "in": "{conversation_id}", "seq": "{seq}", "text": "{text}",
                ],
                "assume": ["timestamp": 0, "sender_id": "stukov"],
            ],
        ]
        for role in FrameRole.fromClient where ours[role.rawValue] == nil { ours.set(role.rawValue, to: "none") }
        for role in FrameRole.fromServer where theirs[role.rawValue] == nil { theirs.set(role.rawValue, to: "none") }
        var frames: JSON = ["client": ours, "server": theirs, "compression": "zlib-stream"]
        for member in further.members ?? [] { frames.set(member.name, to: member.value) }
        var wire = WireProfile()
        wire.frames = try FrameMap.read(frames).get()
        return wire
    }

    /// Decompresses a connection's binary messages as one stream, and returns the text of each message.
    private static func texts(_ stage: Stage, _ id: LinkID) throws -> [String] {
        var reader = ZlibStreamReader(limit: 1 << 20)
        return try stage.oddities(id).map { message in
            guard case .binary(let bytes) = message else { return "not binary" }
            return String(decoding: try #require(try reader.read(bytes)), as: UTF8.self)
        }
    }

    @Test("A client that asks for it gets binary messages of one stream, and sends text", arguments: 1...2)
    func compressed(_ connections: Int) throws {
        var stage = Stage(wire: try Self.wire())
        // Each connection has its own compressed stream.
        for _ in 1...connections {
            let id = stage.open(query: "?v=10&encoding=json&compress=zlib-stream")
            stage.say(#"{"op":"login","key":"key-1"}"#, on: id)
            stage.say(#"{"op":"say","n":1,"text":"hello"}"#, on: id)
            try stage.act("say", [("text", .text(#"{"not":"known"}"#))])
            let texts = try Self.texts(stage, id)
            #expect(texts.count == 3)
            #expect(texts.first?.hasPrefix(#"{"op":"hi""#) == true)
            #expect(texts.dropFirst().first?.hasPrefix(#"{"op":"ok","n":1"#) == true)
            #expect(texts.last == #"{"not":"known"}"#)
            stage.hangUp(id)
        }
        #expect(stage.named("server.protocol_error").isEmpty)
    }

    @Test(
        "A client that does not ask for it gets text",
        arguments: ["", "?compress=zlib", "?compress=", "?compress=zlib-stream&compress=zlib-stream"]
    )
    func plain(_ query: String) throws {
        var stage = Stage(wire: try Self.wire())
        let id = stage.open(query: query)
        stage.say(#"{"op":"login","key":"key-1"}"#, on: id)
        guard case .text(let text)? = stage.oddities(id).first else {
            Issue.record("the first message is not text")
            return
        }
        #expect(text.hasPrefix(#"{"op":"hi""#))
    }

    @Test("Compression and a form of frames that it cannot carry are refused")
    func refused() {
        #expect(throws: (any Error).self) { try Self.wire(["compression": "brotli"]) }
        #expect(throws: (any Error).self) { try Self.wire(["encoding": "mqtt"]) }
        #expect(throws: (any Error).self) { try Self.wire(["polling": "engine-io"]) }
    }
}
