import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing

/// Tests HTTP routes on which the script injects failures or delays.
@Suite struct RouteFailureTests {
    @Test("A route fails as often as the action 'fail' specifies") func failWithACount() throws {
        var stage = Stage()
        try stage.act(
            "fail",
            [
                ("route", .text("unread")), ("status", .integer(503)), ("count", .integer(2)),
                ("retry_after", .duration(.milliseconds(2500))),
            ]
        )
        let responses = try (0..<3).map { _ in try stage.fetch(.unread) }
        #expect(responses.map(\.status) == [503, 503, 200])
        #expect(responses[0].header("retry-after") == "3")
        #expect(try ServerFrame.ServerError.decode(responses[0].body, stage.wire).code == .internalError)
        #expect(try stage.fetch(.health).status == 200)
    }

    @Test("'fail' with 'nth' fails only that request") func theNthRequestFails() throws {
        var stage = Stage()
        try stage.act("fail", [("route", .text("health")), ("status", .integer(500)), ("nth", .integer(3))])
        #expect(try (0..<4).map { _ in try stage.fetch(.health).status } == [200, 200, 500, 200])
    }

    @Test("'fail' without a count applies until 'clear'") func failUntilClear() throws {
        var stage = Stage()
        try stage.act(
            "fail",
            [
                ("route", .text("health")), ("status", .integer(302)), ("location", .text("/elsewhere")),
            ]
        )
        let redirect = try stage.fetch(.health)
        #expect(redirect.status == 302)
        #expect(redirect.header("location") == "/elsewhere")
        #expect(redirect.body.isEmpty)
        #expect(try stage.fetch(.health).status == 302)
        try stage.act("clear")
        #expect(try stage.fetch(.health).status == 200)
    }

    @Test("The WebSocket upgrade route can be made to fail") func theUpgradeCanFail() throws {
        var stage = Stage()
        try stage.act("fail", [("route", .text("ws")), ("status", .integer(503)), ("count", .integer(1))])
        let refused = stage.open()
        #expect(stage.response(refused)?.status == 503)
        #expect(stage.end(refused) == .fin)
        #expect(stage.named("server.answered.ws").map(\.fields) == [["status": 503]])
        let opened = stage.open()
        #expect(stage.frames(opened).roles == [.hello])
    }

    @Test("A slowed route answers late") func aSlowRouteAnswersLate() throws {
        var stage = Stage()
        try stage.act("slow", [("route", .text("health")), ("by", .duration(.seconds(4))), ("count", .integer(1))])
        try stage.act("slow", [("route", .text("ws")), ("by", .duration(.seconds(2))), ("count", .integer(1))])
        let slow = stage.request(.health)
        let socket = stage.open()
        #expect(try stage.fetch(.health).status == 200)
        stage.advance(.seconds(2))
        #expect(stage.frames(socket).roles == [.hello])
        #expect(stage.response(slow) == nil)
        stage.advance(.seconds(2))
        #expect(stage.response(slow)?.status == 200)
    }

    @Test("A late response is dropped if its connection has ended") func lateAnswer() throws {
        var stage = Stage()
        try stage.act("slow", [("route", .text("health")), ("by", .duration(.seconds(4)))])
        let id = stage.request(.health)
        stage.hangUp(id)
        stage.advance(.seconds(4))
        #expect(stage.response(id) == nil)
        #expect(stage.named("server.answered.health").isEmpty)
        #expect(stage.named("server.closed").count == 1)
    }
}
