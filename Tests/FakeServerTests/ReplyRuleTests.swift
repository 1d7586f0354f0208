import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

@Suite struct ReplyRuleTests {
    @Test("Swallowing a confirm frame drops only that frame")
    func swallowedConfirm() throws {
        var stage = Stage()
        let anna = stage.join("anna")
        let ben = stage.join("ben")
        try stage.act("swallow", [("frame", .text("confirm"))])
        stage.say(.send("c1"), on: anna)
        #expect(stage.frames(anna).isEmpty)
        #expect(stage.frames(ben).messages.count == 1)
        #expect(stage.named("server.swallowed.confirm").map(\.key) == ["c1"])
        #expect(stage.named("server.action.hit").count == 1)
        stage.say(.send("c1"), on: anna)
        #expect(stage.frames(anna).confirmations.map(\.duplicate) == [true])
    }

    @Test("A reply rule can be limited to one client and to a number of frames")
    func aRuleMayBeForOneClientAndForSeveralFrames() throws {
        var stage = Stage()
        let anna = stage.join("anna")
        let ben = stage.join("ben")
        try stage.act("swallow", [("frame", .text("message")), ("count", .integer(2)), ("client", .text("ben"))])
        stage.act(.post(.init(to: "stukov", count: 3)))
        #expect(stage.frames(anna).messages.map(\.sequence) == [1, 2, 3])
        #expect(stage.frames(ben).messages.map(\.sequence) == [3])
    }

    @Test("A client still connects if the server's hello is swallowed") func swallowedHello() throws {
        var stage = Stage()
        try stage.act("swallow", [("frame", .text("hello"))])
        let anna = stage.open()
        #expect(stage.frames(anna).isEmpty)
        stage.say(.connect(.init(key: "key-1")), on: anna)
        #expect(stage.frames(anna).roles == [.connected])
    }

    @Test("A delayed frame arrives after a frame sent later") func aDelayedFrameIsOvertaken() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("delay", [("frame", .text("confirm")), ("by", .duration(.seconds(15))), ("count", .integer(1))])
        stage.say(.send("c1"), on: anna)
        stage.say(.send("c2"), on: anna)
        #expect(stage.frames(anna).confirmations.map(\.clientMessageID) == ["c2"])
        stage.advance(.seconds(15))
        #expect(stage.frames(anna).confirmations.map(\.clientMessageID) == ["c1"])
        #expect(stage.named("server.sent.confirm").map(\.time) == [.zero, .zero + .seconds(15)])
    }

    @Test("A delay without a count applies until it is cleared")
    func aDelayWithoutACountStaysUntilItIsCleared() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("delay", [("frame", .text("pong")), ("by", .duration(.seconds(1)))])
        stage.say(.ping(id: "1"), on: anna)
        stage.say(.ping(id: "2"), on: anna)
        #expect(stage.frames(anna).isEmpty)
        try stage.act("clear")
        stage.say(.ping(id: "3"), on: anna)
        #expect(stage.frames(anna) == [.pong(id: "3")])
        stage.advance(.seconds(1))
        #expect(stage.frames(anna) == [.pong(id: "1"), .pong(id: "2")])
    }

    @Test("'duplicate' sends the next matching frame twice and later frames once")
    func aDuplicateIsTheSameFrameTwice() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("duplicate", [("frame", .text("message"))])
        stage.act(.post(.init(to: "stukov", count: 2)))
        #expect(stage.frames(anna).messages.map(\.sequence) == [1, 1, 2])
        #expect(stage.named("server.sent.message").count == 3)
    }

    @Test("Several delays add up and also apply to duplicated frames")
    func delaysAddUpAndDuplicatesGoWithThem() throws {
        var stage = Stage { $0.reply.delay = .milliseconds(100) }
        let anna = stage.join()
        stage.advance(.seconds(1))
        _ = stage.frames(anna)
        for milliseconds in [200, 300] {
            let span = TimeSpan.milliseconds(Int64(milliseconds))
            try stage.act("delay", [("frame", .text("pong")), ("by", .duration(span)), ("count", .integer(1))])
        }
        try stage.act("duplicate", [("frame", .text("pong"))])
        stage.say(.ping(id: "p"), on: anna)
        stage.advance(.milliseconds(599))
        #expect(stage.frames(anna).isEmpty)
        stage.advance(.milliseconds(1))
        #expect(stage.frames(anna) == [.pong(id: "p"), .pong(id: "p")])
    }

    @Test("Each error has a new id, which both copies of a duplicated error carry")
    func anErrorKeepsItsIDWhenItIsDuplicated() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("error", [("code", .text("weather"))])
        try stage.act("duplicate", [("frame", .text("error"))])
        try stage.act("error", [("code", .text("weather"))])
        stage.advance(.zero)
        #expect(stage.errorIDs(anna) == ["error-1", "error-2", "error-2"])
    }

    @Test("The profile's reply delay keeps the order of frames") func aDelayForAllKeepsTheOrder() {
        var stage = Stage { $0.reply.delay = .milliseconds(50) }
        let anna = stage.open()
        #expect(stage.frames(anna).isEmpty)
        stage.advance(.milliseconds(50))
        #expect(stage.frames(anna).roles == [.hello])
        stage.say(.connect(.init(key: "key-1")), on: anna)
        stage.say(.send("c1"), on: anna)
        stage.say(.ping(id: "p"), on: anna)
        stage.advance(.milliseconds(49))
        #expect(stage.frames(anna).isEmpty)
        stage.advance(.milliseconds(1))
        #expect(stage.frames(anna).roles == [.connected, .confirm, .pong])
    }

    // MARK: Holding and releasing replies

    @Test(
        "Held replies are released in the order given in the release action",
        arguments: [
            (nil, ["1", "2", "3"]),
            (ArgumentValue.json("kept"), ["1", "2", "3"]),
            (.json("reversed"), ["3", "2", "1"]),
            (.text("reversed"), ["3", "2", "1"]),
            (.json([2, 0, 1]), ["3", "1", "2"]),
            (.json([1]), ["2", "1", "3"]),
            (.list([.integer(1), .integer(1), .integer(9), .integer(-1)]), ["2", "1", "3"]),
        ] as [(ArgumentValue?, [String])]
    )
    func heldRepliesGoInTheOrderAskedFor(_ order: ArgumentValue?, _ expected: [String]) throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("hold", [("frame", .text("confirm"))], label: "confirms")
        for id in ["1", "2", "3"] { stage.say(.send(id), on: anna) }
        stage.say(.ping(id: "p"), on: anna)
        #expect(stage.frames(anna).roles == [.pong])
        #expect(stage.named("server.sent.confirm").isEmpty)
        let arguments = [("label", ArgumentValue.text("confirms"))] + (order.map { [("order", $0)] } ?? [])
        try stage.act("release", arguments.map { (name: $0.0, value: $0.1) })
        #expect(stage.frames(anna).confirmations.map(\.clientMessageID) == expected)
        stage.say(.send("4"), on: anna)
        #expect(stage.frames(anna).confirmations.map(\.clientMessageID) == ["4"])
    }

    @Test("HTTP responses of a route can be held and released") func answersOfARouteCanBeHeld() throws {
        var stage = Stage(history: [.init(conversation: "stukov", count: 1), .init(conversation: "kerrigan", count: 1)])
        try stage.act("hold", [("route", .text("messages"))], label: "pages")
        let first = stage.request(.messages(conversation: "stukov", before: nil, after: nil, limit: 50))
        let second = stage.request(.messages(conversation: "kerrigan", before: nil, after: nil, limit: 50))
        #expect(stage.response(first) == nil)
        #expect(stage.response(second) == nil)
        try stage.act("release", [("label", .text("pages")), ("order", .json("reversed"))])
        #expect(stage.named("server.closed").count == 2)
        #expect(stage.response(first)?.status == 200)
        #expect(stage.response(second)?.status == 200)
        #expect(stage.named("server.answered.messages").count == 2)
    }

    @Test("Bytes that arrive while the WebSocket upgrade is held are processed after its release")
    func anUpgradeCanBeHeld() throws {
        var stage = Stage()
        try stage.act("hold", [("route", .text("ws"))], label: "upgrades")
        let id = stage.dial("anna")
        var socket = WebSocketConnection.client(host: "h", path: "/ws", key: Array(0..<16), masks: Seed(1).stream("m"))
        let text = WebSocketFrame(.text, maskKey: 7, payload: ClientFrame.ping(id: "early").encode(stage.wire))
        stage.send(socket.takeOutput() + text.encode().prefix(3), on: id)
        stage.send(Array(text.encode().dropFirst(3)), on: id)
        #expect(stage.named("server.sent.hello").isEmpty)
        try stage.act("release", [("label", .text("upgrades"))])
        #expect(stage.named("server.sent.hello").count == 1)
        #expect(stage.named("server.sent.pong").count == 1)
    }

    @Test("Held replies are dropped when their connection ends")
    func heldRepliesOfAConnectionThatIsGoneAreDropped() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("hold", [("frame", .text("confirm"))])
        stage.say(.send("c1"), on: anna)
        stage.hangUp(anna)
        try stage.act("release", [("label", .text("confirm"))])
        #expect(stage.named("server.sent.confirm").isEmpty)
    }

    // MARK: Other replies

    @Test("A rejected send is answered with an error, and the message is not stored")
    func aRejectedSendIsNotStored() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("reject", [("frame", .text("send")), ("code", .text("not_member"))])
        stage.say(.send("c1"), on: anna)
        stage.say(.send("c2"), on: anna)
        let frames = stage.frames(anna)
        #expect(
            frames.errors == [.init(code: .notMember, message: "not_member", clientMessageID: "c1")]
        )
        #expect(frames.confirmations.map(\.clientMessageID) == ["c2"])
        #expect(stage.named("server.stored").map(\.key) == ["c2"])
        #expect(stage.named("server.rejected.send").map(\.fields) == [["code": "not_member"]])
    }

    @Test("A rule's reply replaces the server's own reply, with its placeholders filled in")
    func aRuleAnswersInsteadOfTheServer() throws {
        var stage = Stage()
        let anna = stage.join()
        let reply: JSON = [
            "type": "error", "code": "quota", "message": "{text}", "client_message_id": "{client_message_id}",
        ]
        try stage.act("rule", [("on", .text("send")), ("reply", .json(reply)), ("count", .integer(1))])
        stage.say(.send("c1", "too much"), on: anna)
        #expect(
            stage.frames(anna).errors
                == [.init(code: ErrorCode("quota"), message: "too much", clientMessageID: "c1")]
        )
        #expect(stage.named("server.stored").isEmpty)
        #expect(stage.named("server.sent.error").map(\.key) == ["c1"])
        stage.say(.send("c1", "too much"), on: anna)
        #expect(stage.frames(anna).roles == [.confirm])
    }

    @Test("A placeholder without a value is sent literally") func aPlaceholderForNothingStays() throws {
        var stage = Stage()
        let anna = stage.join()
        let reply: JSON = ["odd": ["{nothing}", "{", "{}", 1, nil]]
        try stage.act("rule", [("on", .text("ping")), ("reply", .json(reply))])
        stage.say(.ping(id: nil), on: anna)
        #expect(stage.oddities(anna) == [.text(#"{"odd":["{nothing}","{","{}",1,null]}"#)])
        #expect(stage.named("server.said").map(\.fields) == [["kind": "text", "bytes": 37]])
    }

    @Test("The action 'pong' turns the server's pongs off and on") func pongsCanBeSwitchedOff() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("pong", [("on", .flag(false))])
        stage.say(.ping(id: "p"), on: anna)
        #expect(stage.frames(anna).isEmpty)
        try stage.act("pong", [("on", .flag(true))])
        stage.say(.ping(id: "q"), on: anna)
        #expect(stage.frames(anna) == [.pong(id: "q")])
    }
}
