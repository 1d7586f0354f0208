import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

@Suite struct LifecycleTests {
    @Test("A restart closes connections, refuses new ones while the server is down and keeps its state")
    func aRestartClosesAndComesBack() throws {
        var stage = Stage()
        let anna = stage.connect()
        let session = try stage.session(anna).session
        stage.say(.send("c1"), on: anna)
        try stage.act("restart", [("down", .duration(.seconds(12)))])
        #expect(stage.close(anna)?.code == .serviceRestart)
        #expect(stage.end(anna) == .fin)
        let refused = stage.dial("anna")
        #expect(stage.end(refused) == .rst)
        stage.act(.post(.init(to: "stukov", count: 3)))
        stage.advance(.seconds(12))
        #expect(stage.named("server.stopped").map(\.time) == [.zero])
        #expect(stage.named("server.started").map(\.time) == [.zero + .seconds(12)])

        let again = stage.connect(session: session)
        let connected = try stage.session(again)
        #expect(connected.resumed)
        #expect(connected.lastSequence == 4)
        stage.say(.send("c1"), on: again)
        #expect(stage.frames(again).confirmations.map(\.duplicate) == [true])
        stage.say(.sync(lastSequence: 1), on: again)
        #expect(stage.frames(again).replays.first?.messages.map(\.sequence) == [2, 3, 4])
    }

    @Test("A restart with loss of state starts without sessions and messages")
    func aRestartMayLoseEverything() throws {
        var stage = Stage()
        let anna = stage.connect()
        let session = try stage.session(anna).session
        stage.say(.send("c1"), on: anna)
        try stage.act("restart", [("down", .duration(.seconds(1))), ("state", .text("lose"))])
        stage.advance(.seconds(1))
        let again = stage.connect(session: session)
        let connected = try stage.session(again)
        #expect(!connected.resumed)
        #expect(connected.session != session)
        #expect(connected.lastSequence == 0)
        stage.say(.send("c1"), on: again)
        let confirmation = try #require(stage.frames(again).confirmations.first)
        #expect(!confirmation.duplicate)
        // A message ID is never assigned twice.
        #expect(confirmation.messageID == "m2-000001")
    }

    @Test("A stopped server refuses connections until it is started")
    func aStoppedServerStaysDownUntilItIsStarted() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("stop")
        #expect(stage.close(anna)?.code == .goingAway)
        stage.advance(.seconds(3600))
        let refused = stage.dial("anna")
        #expect(stage.end(refused) == .rst)
        try stage.act("start")
        let opened = stage.open()
        #expect(stage.frames(opened).roles == [.hello])
        try stage.act("start")
        #expect(stage.named("server.started").count == 1)
    }

    @Test("Starting a running server or stopping a stopped server has no effect") func listeningIsReported() {
        var server = ChatServer()
        #expect(server.handle(.action(.start), at: .zero).isEmpty)
        let stopped = server.handle(.action(.stop), at: .zero)
        #expect(stopped.first == .listen(false))
        #expect(server.handle(.action(.stop), at: .zero).isEmpty)
        #expect(server.handle(.action(.start), at: .zero).first == .listen(true))
    }

    @Test("An explicit start cancels the planned start of a restart") func startingByHandVoidsThePlannedStart() throws {
        var stage = Stage()
        try stage.act("restart", [("down", .duration(.seconds(10)))])
        try stage.act("start")
        try stage.act("stop")
        stage.advance(.seconds(60))
        #expect(stage.named("server.started").count == 1)
    }

    @Test("A crash resets every connection without a close frame") func aCrashResetsAllConnections() throws {
        var stage = Stage()
        let anna = stage.join("anna")
        let half = stage.dial("ben")
        try stage.act("crash", [("down", .duration(.seconds(2)))])
        #expect(stage.close(anna) == nil)
        #expect(stage.end(anna) == .rst)
        #expect(stage.end(half) == .rst)
        #expect(stage.named("server.closed").map(\.fields) == [.object([]), .object([])])
        stage.advance(.seconds(2))
        let opened = stage.open()
        #expect(stage.frames(opened).roles == [.hello])
    }

    @Test("A crash without a duration is not followed by a restart") func aCrashWithoutASpanIsForGood() throws {
        var stage = Stage()
        try stage.act("crash")
        #expect(stage.server.nextDeadline == nil)
        let refused = stage.dial("anna")
        #expect(stage.end(refused) == .rst)
    }

    @Test("A drain is announced to connected clients, then closes and restarts the server")
    func drainingAnnouncesWaitsAndCloses() throws {
        var stage = Stage()
        let anna = stage.join("anna")
        let ben = stage.join("ben")
        let stranger = stage.open("eve")
        _ = stage.frames(stranger)
        stage.forgetNotes()
        try stage.act("drain")
        let announcement = ServerFrame.draining(
            message: "Server shutting down, please reconnect",
            retryAfter: .seconds(5)
        )
        #expect(stage.frames(anna) == [announcement])
        #expect(stage.frames(ben) == [announcement])
        #expect(stage.frames(stranger).isEmpty)
        stage.advance(.milliseconds(999))
        stage.say(.send("c1"), on: anna)
        #expect(stage.frames(anna).roles == [.confirm])
        stage.advance(.milliseconds(1))
        for id in [anna, ben, stranger] { #expect(stage.close(id)?.code == .goingAway) }
        let refused = stage.dial("anna")
        #expect(stage.end(refused) == .rst)
        stage.advance(.seconds(2))
        let opened = stage.open()
        #expect(stage.frames(opened).roles == [.hello])
        #expect(stage.named("server.stopped").map(\.time) == [.zero + .seconds(1)])
        #expect(stage.named("server.started").map(\.time) == [.zero + .seconds(3)])
    }

    @Test("A drain uses the durations given in the action") func drainingTakesItsOwnNumbers() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act(
            "drain",
            [
                ("retry_after", .duration(.zero)), ("notice", .duration(.seconds(3))),
                ("down", .duration(.seconds(60))),
            ]
        )
        #expect(stage.frames(anna) == [.draining(message: "Server shutting down, please reconnect", retryAfter: nil)])
        stage.advance(.seconds(2))
        #expect(stage.end(anna) == nil)
        stage.advance(.seconds(60))
        #expect(stage.named("server.started").isEmpty)
        stage.advance(.seconds(1))
        #expect(stage.named("server.started").map(\.time) == [.zero + .seconds(63)])
    }

    @Test("A restart with notice is announced before it closes connections") func aRestartMayBeAnnounced() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("restart", [("down", .duration(.seconds(1))), ("notice", .duration(.seconds(2)))])
        #expect(stage.frames(anna).roles == [.draining])
        stage.advance(.seconds(2))
        #expect(stage.close(anna)?.code == .serviceRestart)
        stage.advance(.seconds(1))
        #expect(stage.named("server.started").count == 1)
    }

    @Test("A crash during a drain cancels the restart planned by the drain")
    func aCrashWhileDrainingIsTheEndOfIt() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("drain")
        try stage.act("crash", [("down", .duration(.seconds(30)))])
        #expect(stage.end(anna) == .rst)
        stage.advance(.seconds(60))
        #expect(stage.named("server.started").map(\.time) == [.zero + .seconds(30)])
    }

    @Test("After 'vanish' for one client the server neither reads from nor writes to that client's connection")
    func aVanishedServerIsSilent() throws {
        var stage = Stage()
        let anna = stage.connect("anna")
        let session = try stage.session(anna).session
        let ben = stage.join("ben")
        try stage.act("vanish", [("client", .text("anna"))])
        #expect(stage.named("server.session_forgotten").map(\.client) == [ClientID("anna")])
        stage.say(.send("c1"), on: anna)
        stage.say(.ping(id: "p"), on: anna)
        try stage.act("close", [("code", .integer(1000))])
        stage.act(.post(.init(to: "stukov")))
        try stage.act("disconnect", [("how", .text("rst")), ("client", .text("anna"))])
        #expect(stage.frames(anna).isEmpty)
        #expect(stage.close(anna) == nil)
        #expect(stage.end(anna) == nil)
        #expect(stage.named("server.stored").count == 1)
        #expect(stage.close(ben)?.code == .normal)

        let again = stage.connect("anna", session: session)
        #expect(try !stage.session(again).resumed)
        stage.hangUp(anna)
        #expect(stage.end(anna) == nil)
    }

    @Test("'vanish' without a client name forgets all sessions") func vanishWithoutAClient() throws {
        var stage = Stage()
        _ = (stage.join("anna"), stage.join("ben"))
        try stage.act("vanish")
        #expect(stage.named("server.session_forgotten").map(\.client) == [ClientID("anna"), ClientID("ben")])
    }

    @Test("The server waits at most 5 s for the peer's close frame") func aCloseWaitsForThePeerButNotForEver() throws {
        var stage = Stage()
        let anna = stage.dial("anna")
        var deaf = WebSocketConnection.client(host: "h", path: "/ws", key: Array(0..<16), masks: Seed(1).stream("m"))
        stage.send(deaf.takeOutput(), on: anna)
        try stage.act("close", [("code", .integer(1011)), ("reason", .text("broken"))])
        #expect(stage.end(anna) == nil)
        stage.advance(.milliseconds(4999))
        #expect(stage.end(anna) == nil)
        stage.advance(.milliseconds(1))
        #expect(stage.end(anna) == .fin)
        #expect(stage.named("server.closed").map(\.fields) == [["code": 1011]])
    }

    @Test("'close' sends its code and reason only to the named client") func closingTakesTheCodeAndTheReason() throws {
        var stage = Stage()
        let anna = stage.join("anna")
        let ben = stage.join("ben")
        try stage.act("close", [("code", .integer(4321)), ("reason", .text("why not")), ("client", .text("ben"))])
        #expect(stage.close(anna) == nil)
        #expect(stage.close(ben) == ClosePayload(CloseCode(4321), reason: "why not"))
        #expect(stage.end(ben) == .fin)
    }

    @Test("'disconnect' ends the connection without a close frame", arguments: [LinkEnd.fin, .rst])
    func disconnectingSaysNothing(_ how: LinkEnd) throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("disconnect", [("how", .text(how.rawValue))])
        #expect(stage.close(anna) == nil)
        #expect(stage.end(anna) == how)
        #expect(stage.named("server.closed").count == 1)
    }

    @Test("A restart clears the window of the rate limit") func restartClearsTheRateLimit() throws {
        var stage = Stage { $0.rateLimit.count = 1 }
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        try stage.act("restart", [("down", .duration(.seconds(1)))])
        stage.advance(.seconds(1))
        let again = stage.join()
        stage.say(.send("c2"), on: again)
        #expect(stage.frames(again).roles == [.confirm])
    }

    @Test("A restart drops held and delayed replies and keeps the reply rules")
    func restartDropsPendingReplies() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("hold", [("frame", .text("pong"))])
        try stage.act("delay", [("frame", .text("confirm")), ("by", .duration(.seconds(5)))])
        stage.say(.ping(id: "p"), on: anna)
        stage.say(.send("c1"), on: anna)
        try stage.act("restart", [("down", .duration(.seconds(1)))])
        stage.advance(.seconds(10))
        #expect(stage.server.nextDeadline == nil)
        // The rules set by the script survive a server restart, but the replies that the server was holding back are
        // lost.
        let again = stage.join()
        stage.say(.ping(id: "1"), on: again)
        stage.say(.ping(id: "2"), on: again)
        try stage.act("release", [("label", .text("pong")), ("order", .json([1, 0]))])
        #expect(stage.frames(again) == [.pong(id: "2"), .pong(id: "1")])
        #expect(stage.frames(anna).isEmpty)
    }
}
