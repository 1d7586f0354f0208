import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

/// Tests `server: rule` with `match` and `on: opening`, which answer messages in any protocol.
@Suite struct MessageRuleTests {
    private static func unknown() throws -> WireProfile {
        var wire = WireProfile()
        wire.frames = try FrameMap.read("unknown").get()
        return wire
    }

    private static func texts(_ stage: Stage, _ id: LinkID) -> [String] {
        stage.oddities(id).compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    @Test(
        "A rule's answer contains the values captured by the placeholders of its pattern",
        arguments: [
            (#"{"do":"ask","id":"{id}"}"#, #"{"answer":"{id}"}"#, #"{"do":"ask","id":7,"more":1}"#, #"{"answer":7}"#),
            (#"["{ref}","ask","{what}"]"#, #"["{ref}","ok: {what}"]"#, #"["a","ask","tea"]"#, #"["a","ok: tea"]"#),
            (#""PING {n}""#, #""PONG {n}""#, "PING 12", "PONG 12"),
            (#"{"in":{"room":"room:{name}"}}"#, #""{name}""#, #"{"in":{"room":"room:x"}}"#, "x"),
            (#"{"do":"{{a}}"}"#, #"{"{b}":"{{b}}"}"#, #"{"do":"{a}"}"#, #"{"{b}":"{b}"}"#),
        ]
    )
    func answered(_ pattern: String, _ reply: String, _ message: String, _ answer: String) throws {
        var stage = Stage(wire: try Self.unknown())
        let values: [(name: String, value: ArgumentValue)] = [
            ("match", .json(try JSON.decode(pattern))), ("reply", .json(try JSON.decode(reply))),
        ]
        try stage.act("rule", values, label: "asked")
        let anna = stage.open("anna")
        stage.say(message, on: anna)
        #expect(Self.texts(stage, anna) == [answer])
        #expect(stage.named("server.received.text").map(\.key) == ["asked"])
    }

    @Test(
        "A message that does not match a rule's pattern is not answered",
        arguments: [
            #"{"do":"ask"}"#, #"{"do":"ask","id":null}"#, #"{"do":"tell","id":1}"#, #"["do","ask"]"#, "ask",
        ]
    )
    func unanswered(_ message: String) throws {
        var stage = Stage(wire: try Self.unknown())
        try stage.act("rule", [("match", .json(["do": "ask", "id": "{id}"])), ("reply", .json("yes"))])
        let anna = stage.open("anna")
        stage.say(message, on: anna)
        #expect(Self.texts(stage, anna).isEmpty)
        #expect(stage.named("server.received.text").map(\.key) == [nil])
        #expect(stage.end(anna) == nil)
    }

    @Test("A rule can answer the opening or send delayed frames, and the next rule applies once its count is used up")
    func sequences() throws {
        var stage = Stage(wire: try Self.unknown())
        try stage.act("rule", [("on", .text("opening")), ("reply", .json("hello"))])
        try stage.act("rule", [("match", .json("more")), ("reply", .json("first")), ("count", .integer(1))])
        let replies: JSON = [["text": "second", "after_ms": 100], ["frame": ["third": true], "after_ms": 300]]
        try stage.act("rule", [("match", .json("more")), ("replies", .json(replies))])
        let anna = stage.open("anna")
        stage.say("more", on: anna)
        #expect(Self.texts(stage, anna) == ["hello", "first"])
        stage.say("more", on: anna)
        stage.advance(.milliseconds(299))
        #expect(Self.texts(stage, anna) == ["hello", "first", "second"])
        stage.advance(.milliseconds(1))
        #expect(Self.texts(stage, anna) == ["hello", "first", "second", #"{"third":true}"#])
        #expect(stage.named("server.action.hit").count == 3)
    }

    @Test("In a known protocol a rule answers an unknown message, and known frames are handled as usual")
    func known() throws {
        var stage = Stage()
        try stage.act("rule", [("match", .json(["type": "surprise"])), ("reply", .json(["type": "indeed"]))])
        let anna = stage.join("anna")
        stage.forgetNotes()
        stage.say(#"{"type":"surprise"}"#, on: anna)
        #expect(Self.texts(stage, anna) == [#"{"type":"indeed"}"#])
        #expect(stage.named("server.protocol_error").isEmpty)
        stage.say(.send("c1"), on: anna)
        #expect(stage.frames(anna).confirmations.count == 1)
    }

    @Test(
        "A rule without exactly one of 'on' and 'match', or with a malformed reply, is refused",
        arguments: [
            [("reply", "1")], [("on", #""ping""#), ("match", #""a""#)], [("match", #""a""#), ("replies", "[1]")],
            [("match", #""a""#), ("replies", #"[{"text":"b","after_ms":-1}]"#)],
            [("match", #""a""#), ("reply", "1"), ("replies", "[]")], [("on", #""hello""#), ("reply", "1")],
        ]
    )
    func refused(_ values: [(name: String, json: String)]) throws {
        let arguments = try values.map { name, json -> (name: String, value: ArgumentValue) in
            let value = try JSON.decode(json)
            return (name, name == "on" ? .text(value.stringValue ?? "") : .json(value))
        }
        #expect((try? ServerAction(verb: "rule", Arguments(arguments))) == nil)
    }
}
