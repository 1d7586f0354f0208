import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

/// Tests several servers behind one address, which share a store but have their own connections.
@Suite struct HostTests {
    private func stage() -> Stage {
        Stage { $0.hosts = "chat.test other.test" }
    }

    @Test("With several servers, an event names the server that accepted the connection")
    func connectionNamesItsServer() {
        var stage = stage()
        _ = stage.join("anna")
        _ = stage.open("ben", host: "other.test")
        #expect(stage.named("server.host.served").map { $0.fields["host"] } == ["chat.test", "other.test"])
        var single = Stage()
        _ = single.join()
        #expect(single.named("server.host.served").isEmpty)
    }

    @Test("Stopping one server leaves the connections of the other server open") func oneServerStops() throws {
        var stage = stage()
        let anna = stage.join("anna")
        let ben = stage.open("ben", host: "other.test")
        try stage.act("down", [("host", .text("chat.test"))])
        #expect(stage.close(anna)?.code?.rawValue == 1001)
        #expect(stage.end(anna) == .fin)
        #expect(stage.end(ben) == nil)
        let refused = stage.open("anna")
        #expect(stage.end(refused) == .rst)
        #expect(stage.named("server.host.refused").count == 1)
        let taken = stage.open("anna", host: "other.test")
        #expect(stage.frames(taken).roles == [.hello])
    }

    @Test("A session of a stopped server can be resumed on the other server")
    func aSessionIsResumedOnTheOtherServer() throws {
        var stage = stage()
        let first = stage.connect()
        let session = try stage.session(first).session
        try stage.act("down", [("host", .text("chat.test"))])
        stage.act(.post(.init(to: "stukov")))
        let second = stage.open("anna", host: "other.test")
        stage.say(.connect(.init(key: "key-1", session: session)), on: second)
        #expect(try stage.session(second).resumed)
        stage.say(.sync(lastSequence: 0), on: second)
        #expect(stage.frames(second).replays.first?.messages.count == 1)
    }

    @Test("A restarted server accepts connections, and starting a running server has no effect")
    func aServerThatIsUpAgainServes() throws {
        var stage = stage()
        for verb in ["down", "up", "up"] { try stage.act(verb, [("host", .text("chat.test"))]) }
        let anna = stage.open("anna")
        #expect(stage.frames(anna).roles == [.hello])
        #expect(stage.named("server.host.started").count == 1, "a running server is not started again")
    }
}
