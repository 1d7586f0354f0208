import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

@Suite struct CrowdTests {
    private static let names = (1...60).map { "client\($0)" }

    /// Simulates a crowd of clients that log in, send messages and reconnect after a server crash. Returns all events
    /// and all bytes written.
    private func play() throws -> (notes: [Stage.Note], written: [UInt8]) {
        var stage = Stage {
            $0.presence.announced = true
            $0.heartbeat.interval = .seconds(20)
            $0.reply.delay = .milliseconds(3)
        }
        var links = Self.names.map { stage.connect($0) }
        stage.advance(.seconds(1))
        for (number, link) in links.enumerated() {
            stage.say(.connect(.init(key: number == 7 ? "wrong" : "key-1")), on: link)
        }
        stage.advance(.seconds(1))
        for round in 0..<3 {
            for (number, link) in links.enumerated() { stage.say(.send("c\(number)-\(round)"), on: link) }
            stage.act(.post(.init(to: "stukov", count: 5)))
            stage.advance(.seconds(15))
        }
        try stage.act("crash", [("down", .duration(.seconds(2)))])
        stage.advance(.seconds(2))
        links = Self.names.map { stage.connect($0) }
        stage.advance(.seconds(60))
        return (stage.notes, stage.written)
    }

    @Test("The same seed gives the same events and bytes for a crowd of clients")
    func theSameRunTwiceIsTheSame() throws {
        let first = try play()
        let second = try play()
        #expect(first.notes.count > 10_000)
        #expect(first.notes == second.notes)
        #expect(first.written == second.written)
    }

    @Test("Every client receives each message of the other clients exactly once")
    func everyClientReceivesTheOthersMessages() {
        var stage = Stage()
        let links = Self.names.map { stage.join($0) }
        for (number, link) in links.enumerated() { stage.say(.send("c\(number)"), on: link) }
        for (number, link) in links.enumerated() {
            let frames = stage.frames(link)
            #expect(frames.confirmations.map(\.clientMessageID) == ["c\(number)"])
            let others = Self.names.indices.filter { $0 != number }.map { Int64($0) + 1 }
            #expect(frames.messages.map(\.sequence) == others)
        }
    }

    @Test("A drain is announced to all clients before the first connection is closed")
    func drainIsAnnouncedToAllFirst() throws {
        var stage = Stage()
        let links = Self.names.map { stage.join($0) }
        stage.forgetNotes()
        try stage.act("drain")
        stage.advance(.seconds(1))
        let told = stage.notes.lastIndex { $0.name == "server.sent.draining" }
        let closed = stage.notes.firstIndex { $0.name == "server.closed" }
        #expect(stage.named("server.sent.draining").count == links.count)
        #expect(try #require(told) < #require(closed))
        #expect(links.allSatisfy { stage.close($0)?.code == .goingAway })
    }

    @Test("Session IDs depend only on the seed") func sessionsComeFromTheSeed() throws {
        func session(_ seed: UInt64) -> [ServerOutput] {
            var server = ChatServer(seed: Seed(seed))
            let link = LinkID(.only, 1)
            _ = server.handle(.accepted(link), at: .zero)
            _ = server.handle(.received(link, Array(Self.handshake.utf8)), at: .zero)
            return server.handle(.received(link, Self.connect), at: .zero)
        }
        #expect(session(1) == session(1))
        #expect(session(1) != session(2))
    }

    private static let handshake =
        "GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n\r\n"

    private static let connect = frame(ClientFrame.connect(.init(key: "key-1")).encode(WireProfile()))
}
