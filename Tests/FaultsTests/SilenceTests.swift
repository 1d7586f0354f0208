import Faults
import SquallCore
import Testing

/// Tests how a stall treats bytes, FINs, resets and new connections. The other faults that silence a connection have
/// their own suites.
@Suite struct StallTests {
    @Test("A stall holds bytes and delivers them in order when it ends")
    func holdsWhatIsUnderWayInOrderAndReleasesItAtTheEnd() {
        var stage = Stage.connected()
        #expect(
            stage.begin(.stall(.init()), as: "tunnel", at: 10)
                == ["fault.began[tunnel] stall", "read 1 client unread", "read 1 server unread"]
        )
        // These bytes represent data that the relay had read before the fault paused its sockets.
        #expect(stage.send("a", from: .client, at: 11) == [])
        #expect(stage.send("b", from: .client, at: 12) == [])
        #expect(stage.send("c", from: .server, at: 12) == [])
        #expect(stage.relay.nextDeadline == nil)
        #expect(
            stage.play(.heal(label: "tunnel"), at: 500) == [
                "fault.ended[tunnel] stall", "write 1 server a", "write 1 server b", "write 1 client c",
                "read 1 client none", "read 1 server none",
            ]
        )
        #expect(stage.send("d", from: .client, at: 501) == ["write 1 server d"])
    }

    @Test("A stall also holds the FIN of a connection") func anEndIsHeldToo() {
        var stage = Stage.connected()
        _ = stage.begin(.stall(.init()), at: 10)
        _ = stage.send("bye", from: .server, at: 11)
        #expect(stage.end(.server, .rst, at: 11) == ["network.closed server rst"])
        #expect(
            stage.play(.heal(label: "stall"), at: 20)
                == ["fault.ended[stall] stall", "write 1 client bye", "end 1 client rst"]
        )
    }

    @Test("A stall can be limited to one direction", arguments: [Fault.Stream.upstream, .downstream])
    func canHitOneDirection(_ stream: Fault.Stream) {
        var stage = Stage.connected()
        let paused: LinkSide = stream == .upstream ? .client : .server
        #expect(
            stage.begin(.stall(.init(stream: stream)), at: 10)
                == ["fault.began[stall] stall", "read 1 \(paused) unread"]
        )
        #expect(stage.send("x", from: paused, at: 11) == [])
        #expect(stage.send("y", from: paused.opposite, at: 11) == ["write 1 \(paused) y"])
    }

    @Test("New connections during a stall are accepted and are stalled too")
    func newConnectionsComeAboutAndAreSilent() {
        var stage = Stage()
        _ = stage.begin(.stall(.init(new: .stall)), at: 0)
        #expect(
            stage.play(.accepted(LinkID(.only, 1)), at: 1) == ["network.accepted", "connect 1", "read 1 client unread"]
        )
        #expect(stage.play(.upstreamOpened(LinkID(.only, 1)), at: 2) == ["read 1 server unread"])
        #expect(stage.send("GET", from: .client, at: 2) == [])
        #expect(stage.play(.healAll, at: 3).contains("write 1 server GET"))
    }

    @Test("New connections during a stall work normally if the fault is configured so") func newConnectionsWork() {
        var stage = Stage.connected()
        _ = stage.begin(.stall(.init(new: .work)), at: 0)
        stage.connect(2, at: 1)
        #expect(stage.send("x", from: .client, link: 2, at: 2) == ["write 2 server x"])
        #expect(stage.send("x", from: .client, link: 1, at: 2) == [])
    }

    @Test("New connections during a stall are refused if the fault is configured so") func newConnectionsAreRefused() {
        var stage = Stage.connected()
        #expect(stage.begin(.stall(.init(new: .refuse)), at: 0).contains("accept refusing"))
        #expect(stage.play(.healAll, at: 1).contains("accept open"))
    }
}

@Suite struct BlackholeTests {
    @Test("A blackholed connection gets no acknowledgements and stays lost after the fault is healed")
    func nothingIsAcknowledgedAndTheConnectionIsGoneForGood() {
        var stage = Stage.connected()
        #expect(
            stage.begin(.blackhole(.init()), as: "handoff", at: 10) == [
                "fault.began[handoff] blackhole", "accept dropping", "read 1 client unacknowledged",
                "read 1 server unacknowledged",
            ]
        )
        #expect(stage.send("x", from: .client, at: 11) == ["network.dropped upstream 1"])
        #expect(stage.play(.heal(label: "handoff"), at: 20) == ["fault.ended[handoff] blackhole", "accept open"])
        #expect(stage.send("x", from: .server, at: 21) == ["network.dropped downstream 1"])
        #expect(stage.relay.nextDeadline == nil)
    }

    @Test("A blackhole discards the bytes in flight") func bytesInFlightAreDropped() {
        var stage = Stage.connected()
        _ = stage.begin(.latency(.init(delay: .milliseconds(100))), at: 0)
        _ = stage.send("abc", from: .client, at: 1)
        _ = stage.send("de", from: .server, at: 1)
        let lines = stage.begin(.blackhole(.init()), at: 50)
        #expect(lines.contains("network.dropped upstream 3"))
        #expect(lines.contains("network.dropped downstream 2"))
        #expect(stage.wait(until: 1000) == [])
        #expect(
            stage.play(.healAll, at: 1001) == [
                "fault.ended[latency] latency", "fault.ended[blackhole] blackhole", "accept open",
            ]
        )
    }

    @Test("After a blackhole new connections work and the old connection stays silent")
    func newConnectionsWorkAfterTheHealAndTheOldOneStaysSilent() {
        var stage = Stage.connected()
        _ = stage.begin(.blackhole(.init()), for: .seconds(1), at: 10)
        #expect(stage.wait(until: 2000) == ["1.010 fault.ended[blackhole] blackhole", "1.010 accept open"])
        stage.connect(2, at: 2001)
        #expect(stage.send("new", from: .client, link: 2, at: 2002) == ["write 2 server new"])
        #expect(stage.send("old", from: .server, link: 1, at: 2003) == ["network.dropped downstream 3"])
    }

    @Test("Faults that begin after a connection is lost do not affect it")
    func nothingThatComesLaterTouchesALostConnection() {
        var stage = Stage.connected()
        _ = stage.begin(.blackhole(.init()), for: .milliseconds(1), at: 10)
        _ = stage.wait(until: 20)
        for kind in [
            Fault.Kind.drop(.init()), .resetPeer(.init()), .captivePortal(.init()), .halfOpen(.init(answer: .reset)),
        ] {
            let lines = stage.begin(kind, at: 30)
            #expect(lines.allSatisfy { $0.hasPrefix("fault.") }, "\(kind)")
        }
        #expect(stage.send("x", from: .client, at: 40) == ["network.dropped upstream 1"])
    }

    @Test("Faults that began before a connection was lost no longer affect it")
    func nothingThatWasToComeTouchesALostConnection() {
        var stage = Stage.connected()
        _ = stage.begin(.timeout(.init(.milliseconds(100))), at: 0)
        _ = stage.begin(.resetPeer(.init(after: .milliseconds(100))), for: .seconds(1), at: 0)
        _ = stage.begin(.blackhole(.init()), at: 10)
        #expect(stage.relay.nextDeadline == .at(1000))
        #expect(stage.play(.healAll, at: 2000).allSatisfy { $0.hasPrefix("fault.") || $0.hasPrefix("accept") })
    }

    @Test("A blackhole also loses a connection whose server side is not open yet")
    func aConnectionThatIsBeingMadeIsLostToo() {
        var stage = Stage()
        stage.play(.accepted(LinkID(.only, 1)), at: 0)
        _ = stage.send("GET", from: .client, at: 1)
        #expect(stage.begin(.blackhole(.init()), at: 1).contains("read 1 client unacknowledged"))
        #expect(stage.play(.upstreamOpened(LinkID(.only, 1)), at: 2) == ["read 1 server unacknowledged"])
    }

    @Test("A connection accepted during a blackhole is lost") func aConnectionThatSlippedInIsLost() {
        var stage = Stage()
        _ = stage.begin(.blackhole(.init()), at: 0)
        #expect(stage.play(.accepted(LinkID(.only, 1)), at: 1) == ["network.accepted", "read 1 client unacknowledged"])
    }

    @Test("A blackhole can be limited to one direction", arguments: [Fault.Stream.upstream, .downstream])
    func canHitOneDirection(_ stream: Fault.Stream) {
        var stage = Stage.connected()
        let deaf: LinkSide = stream == .upstream ? .client : .server
        #expect(
            stage.begin(.blackhole(.init(stream: stream)), at: 10)
                == ["fault.began[blackhole] blackhole", "accept dropping", "read 1 \(deaf) unacknowledged"]
        )
        #expect(stage.send("x", from: deaf.opposite, at: 11) == ["write 1 \(deaf) x"])
        #expect(stage.send("y", from: deaf, at: 11) == ["network.dropped \(stream.rawValue) 1"])
        #expect(stage.end(deaf.opposite, .fin, at: 12) == ["network.closed \(deaf.opposite) fin", "end 1 \(deaf) fin"])
    }

    @Test("When the client of a lost connection closes, the link is removed")
    func endOfLostConnection() {
        var stage = Stage.connected()
        _ = stage.begin(.blackhole(.init()), at: 10)
        #expect(stage.end(.client, .rst, at: 11) == [])
        #expect(stage.send("x", from: .server, at: 12) == [])
    }
}

@Suite struct HalfOpenTests {
    @Test("half_open resets the server's side and leaves the client's side silent")
    func theServerLearnsAndTheClientHangs() {
        var stage = Stage.connected()
        #expect(
            stage.begin(.halfOpen(.init()), at: 10) == [
                "fault.began[half_open] half_open", "end 1 server rst", "read 1 client unacknowledged",
                "fault.hit[half_open] half_open",
            ]
        )
        #expect(stage.play(.healAll, at: 11) == ["fault.ended[half_open] half_open"])
        #expect(stage.send("x", from: .client, at: 12) == ["network.dropped upstream 1"])
    }

    @Test("The server's side of a half-open connection can be ended with FIN") func theServersSideCanEndInOrder() {
        var stage = Stage.connected()
        #expect(stage.begin(.halfOpen(.init(how: .fin)), at: 10).contains("end 1 server fin"))
        #expect(stage.send("late", from: .server, at: 11) == ["network.dropped downstream 4"])
        #expect(stage.end(.server, .fin, at: 12) == [])
    }

    @Test("With answer: reset the client's next bytes after half_open are answered by a reset")
    func theClientsNextBytesAreAnsweredByAReset() {
        var stage = Stage.connected()
        #expect(
            stage.begin(.halfOpen(.init(answer: .reset)), at: 10)
                == ["fault.began[half_open] half_open", "end 1 server rst", "fault.hit[half_open] half_open"]
        )
        #expect(stage.send("ping", from: .client, at: 11) == ["network.closed network rst", "end 1 client rst"])
        #expect(stage.send("ping", from: .client, at: 12) == [])
    }

    @Test("half_open discards the bytes in flight") func bytesInFlightAreDropped() {
        var stage = Stage.connected()
        _ = stage.begin(.stall(.init()), as: "stall", at: 0)
        _ = stage.send("abc", from: .client, at: 1)
        let lines = stage.begin(.halfOpen(.init()), at: 2)
        #expect(lines.contains("network.dropped upstream 3"))
        #expect(stage.play(.heal(label: "stall"), at: 3) == ["fault.ended[stall] stall"])
    }

    @Test("New connections work while another connection is half-open") func newConnectionsWork() {
        var stage = Stage.connected()
        _ = stage.begin(.halfOpen(.init()), at: 10)
        stage.connect(2, at: 11)
        #expect(stage.send("x", from: .client, link: 2, at: 12) == ["write 2 server x"])
    }

    @Test("half_open resets a server connection that is not open yet as soon as it opens")
    func pendingServerConnection() {
        var stage = Stage()
        stage.play(.accepted(LinkID(.only, 1)), at: 0)
        _ = stage.send("GET", from: .client, at: 0)
        _ = stage.begin(.halfOpen(.init()), at: 1)
        #expect(stage.play(.upstreamOpened(LinkID(.only, 1)), at: 2) == ["end 1 server rst"])
    }

    @Test("A half-open client gets no sign that the server cannot be reached")
    func theClientDoesNotLearnThatTheServerCouldNotBeReached() {
        var stage = Stage()
        stage.play(.accepted(LinkID(.only, 1)), at: 0)
        _ = stage.begin(.halfOpen(.init()), at: 1)
        #expect(stage.play(.upstreamFailed(LinkID(.only, 1), .refused), at: 2) == [])
    }

    @Test("A blackhole suppresses the reset of a half-open connection") func aBlackholeSilencesTheAnswerToo() {
        var stage = Stage.connected()
        _ = stage.begin(.halfOpen(.init(answer: .reset)), at: 10)
        #expect(stage.begin(.blackhole(.init()), at: 11).contains("read 1 client unacknowledged"))
        #expect(stage.send("ping", from: .client, at: 12) == ["network.dropped upstream 4"])
    }
}
