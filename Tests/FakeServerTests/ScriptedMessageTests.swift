import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

@Suite struct ScriptedMessageTests {
    @Test("A post is stored, then sent to the connected clients") func aPostIsStoredBeforeItIsSent() throws {
        var stage = Stage()
        let anna = stage.join("anna")
        let stranger = stage.open("eve")
        _ = stage.frames(stranger)
        stage.forgetNotes()
        try stage.act("post", [("to", .text("stukov"))], label: "hello")
        let message = try #require(stage.frames(anna).messages.first)
        #expect(message.sender == "stukov")
        #expect(message.text == "Message 1")
        #expect(message.clientMessageID == nil)
        #expect(stage.frames(stranger).isEmpty)
        #expect(stage.notes.map(\.name) == ["server.stored", "server.sent.message"])
        #expect(Set(stage.notes.map(\.key)) == [message.id])
        #expect(
            stage.notes.first?.fields == [
                "conversation": "stukov", "sequence": 1, "sender": "stukov", "origin": "post", "label": "hello",
            ]
        )
    }

    @Test("Several messages of one 'post' action have numbered labels") func severalPostsAreNumbered() throws {
        var stage = Stage()
        try stage.act(
            "post",
            [("to", .text("stukov")), ("count", .integer(3)), ("text", .text("boo")), ("sender", .text("ghost"))],
            label: "x"
        )
        #expect(stage.named("server.stored").map { $0.fields["label"]?.stringValue } == ["x-1", "x-2", "x-3"])
        #expect(stage.named("server.stored").map { $0.fields["sender"]?.stringValue } == ["ghost", "ghost", "ghost"])
        #expect(stage.named("server.stored").map(\.key) == ["m1-000001", "m1-000002", "m1-000003"])
    }

    /// Clients sort messages with the same timestamp by ID.
    @Test("Message IDs sort alphabetically in the order of their sequence numbers") func idsAscendAsTexts() {
        var stage = Stage()
        stage.act(.post(.init(to: "stukov", count: 1200)))
        let ids = stage.named("server.stored").compactMap(\.key)
        #expect(ids.count == 1200)
        #expect(ids == ids.sorted())
    }

    @Test("A stream sends its tokens first and then the whole message") func aStreamComesInPiecesAndThenWhole() throws {
        var stage = Stage()
        let anna = stage.join()
        stage.forgetNotes()
        let stream: [(name: String, value: ArgumentValue)] = [
            ("conversation", .text("stukov")), ("text", .text("abcdefgh👍")), ("pieces", .integer(4)),
            ("every", .duration(.seconds(1))),
        ]
        try stage.act("stream", stream, label: "poem")
        stage.advance(.seconds(3))
        let frames = stage.frames(anna)
        let tokens = frames.compactMap { if case .token(let token) = $0 { token } else { nil } }
        #expect(tokens.map(\.text) == ["ab", "cd", "ef", "gh👍"])
        #expect(tokens.map(\.index) == [0, 1, 2, 3])
        #expect(tokens.map(\.final) == [false, false, false, true])
        #expect(frames.messages.map(\.text) == ["abcdefgh👍"])
        #expect(Set(tokens.map(\.messageID)) == Set(frames.messages.map(\.id)))
        #expect(stage.notes.first?.name == "server.stream_began")
        #expect(stage.named("server.sent.token").map(\.time) == (0...3).map { .zero + .seconds($0) })
        #expect(stage.named("server.stored").map(\.fields["label"]) == ["poem"])
    }

    @Test(
        "A stream is split into at most as many pieces as its text has characters",
        arguments: [("", Int64(3), [""]), ("ab", 5, ["a", "b"]), ("abc", 1, ["abc"])]
    )
    func aStreamHasNoMorePiecesThanCharacters(_ text: String, _ pieces: Int64, _ expected: [String]) {
        var stage = Stage()
        let anna = stage.join()
        stage.act(.stream(.init(conversation: "stukov", text: text, pieces: pieces, every: .zero)))
        stage.advance(.zero)
        let tokens = stage.frames(anna).compactMap { if case .token(let token) = $0 { token.text } else { nil } }
        #expect(tokens == expected)
    }

    @Test("A restart ends a stream without storing its message") func aStreamEndsWithTheServer() throws {
        var stage = Stage()
        stage.act(.stream(.init(conversation: "stukov", text: "abcdef", pieces: 3, every: .seconds(1))))
        stage.advance(.seconds(1))
        try stage.act("restart", [("down", .duration(.milliseconds(100)))])
        stage.advance(.seconds(10))
        #expect(stage.named("server.stored").isEmpty)
    }

    @Test("The actions 'type', 'presence' and 'error' each send their frame")
    func typingPresenceAndErrorsAreSent() throws {
        var stage = Stage()
        let anna = stage.join("anna")
        let ben = stage.join("ben")
        try stage.act("type", [("conversation", .text("stukov"))])
        try stage.act("type", [("conversation", .text("stukov")), ("user", .text("ghost")), ("active", .flag(false))])
        try stage.act("presence", [("user", .text("stukov")), ("status", .text("idle")), ("text", .text("Away"))])
        stage.advance(.seconds(1))
        try stage.act("presence", [("user", .text("stukov")), ("status", .text("offline"))])
        try stage.act("error", [("code", .text("weather")), ("client", .text("anna"))])
        let common: [ServerFrame] = [
            .typing(conversation: "stukov", user: "stukov", active: true),
            .typing(conversation: "stukov", user: "ghost", active: false),
            .presence(user: "stukov", status: .idle, lastSeen: nil, since: 1_767_225_600_000, text: "Away"),
            .presence(user: "stukov", status: .offline, lastSeen: 1_767_225_601_000, since: 1_767_225_601_000),
        ]
        #expect(stage.frames(anna) == common + [.error(.init(code: ErrorCode("weather"), message: "weather"))])
        #expect(stage.frames(ben) == common)
    }

    @Test("The actions 'say' and 'binary' send any message to the named client") func anythingCanBeSaid() throws {
        var stage = Stage()
        let anna = stage.open("anna")
        _ = stage.frames(anna)
        try stage.act("say", [("text", .text("no json {"))])
        try stage.act("say", [("json", .json(["type": "news", "n": 1]))])
        try stage.act("say", [("json", .json(["type": "pong", "id": "x"])), ("client", .text("anna"))])
        try stage.act("say", [("json", .json(["type": "pong"])), ("client", .text("ben"))])
        try stage.act("binary", [("bytes", .text("00 fF7f"))])
        #expect(
            stage.oddities(anna) == [.text("no json {"), .text(#"{"type":"news","n":1}"#), .binary([0, 255, 127])]
        )
        #expect(stage.frames(anna) == [.pong(id: "x")])
        #expect(stage.named("server.said").count == 3)
        #expect(stage.named("server.sent.pong").count == 1)
    }
}
