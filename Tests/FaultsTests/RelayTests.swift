import Faults
import SquallCore
import Testing

@Suite struct RelayTests {
    @Test("The relay forwards bytes in both directions") func passesBytesOnBothWays() {
        var stage = Stage()
        #expect(stage.play(.accepted(LinkID(.only, 1)), at: 0) == ["network.accepted", "connect 1"])
        #expect(stage.play(.upstreamOpened(LinkID(.only, 1)), at: 1) == [])
        #expect(stage.send("hello", from: .client, at: 2) == ["write 1 server hello"])
        #expect(stage.send("welcome", from: .server, at: 3) == ["write 1 client welcome"])
        #expect(stage.relay.nextDeadline == nil)
    }

    @Test("The relay buffers the client's bytes and FIN until the server's connection is open")
    func keepsEarlyBytes() {
        var stage = Stage()
        stage.play(.accepted(LinkID(.only, 1)), at: 0)
        #expect(stage.send("ab", from: .client, at: 1) == [])
        #expect(stage.send("cd", from: .client, at: 1) == [])
        #expect(stage.end(.client, .fin, at: 1) == ["network.closed client fin"])
        #expect(
            stage.play(.upstreamOpened(LinkID(.only, 1)), at: 2)
                == ["write 1 server ab", "write 1 server cd", "end 1 server fin"]
        )
    }

    @Test("While the server's connection is not open, the relay pauses the client at the buffer limit")
    func readsNoMoreFromAClientWhoseServerDoesNotAnswer() {
        var stage = Stage()
        stage.play(.accepted(LinkID(.only, 1)), at: 0)
        let much = String(repeating: "x", count: 256 * 1024)
        #expect(stage.send(much, from: .client, at: 1) == [])
        #expect(stage.send("y", from: .client, at: 2) == ["read 1 client unread"])
        let opened = stage.play(.upstreamOpened(LinkID(.only, 1)), at: 3)
        #expect(opened == ["write 1 server \(much)", "write 1 server y", "read 1 client none"])
    }

    @Test("The relay forwards a half-close and removes the link after the second FIN")
    func passesAHalfCloseOnAndForgetsTheLinkAfterTheOther() {
        var stage = Stage.connected()
        #expect(stage.end(.client, .fin, at: 1) == ["network.closed client fin", "end 1 server fin"])
        #expect(stage.send("late", from: .server, at: 2) == ["write 1 client late"])
        #expect(stage.end(.server, .fin, at: 3) == ["end 1 client fin"])
        #expect(stage.send("stray", from: .server, at: 4) == [])
        // The relay has removed the link, so a new connection can reuse its number.
        #expect(stage.play(.accepted(LinkID(.only, 1)), at: 5) == ["network.accepted", "connect 1"])
    }

    @Test("The relay forwards a reset as a reset", arguments: [LinkSide.client, .server]) func passesAResetOnAsAReset(
        _ side: LinkSide
    ) {
        var stage = Stage.connected()
        #expect(
            stage.end(side, .rst, at: 1) == ["network.closed \(side) rst", "end 1 \(side.opposite) rst"]
        )
        #expect(stage.send("x", from: side.opposite, at: 2) == [])
    }

    @Test("A client's reset before the server's connection is open is forwarded once it is open")
    func resetBeforeTheServersConnectionOpens() {
        var stage = Stage()
        stage.play(.accepted(LinkID(.only, 1)), at: 0)
        _ = stage.send("ab", from: .client, at: 1)
        #expect(stage.end(.client, .rst, at: 1) == ["network.closed client rst"])
        #expect(stage.play(.upstreamOpened(LinkID(.only, 1)), at: 2) == ["write 1 server ab", "end 1 server rst"])
        #expect(stage.play(.upstreamOpened(LinkID(.only, 1)), at: 3) == [])
    }

    @Test("The relay drops bytes for a client that has reset its connection")
    func nothingIsCarriedToASideThatHasReset() {
        var stage = Stage.connected()
        _ = stage.begin(.latency(.init(delay: .milliseconds(50))), at: 0)
        _ = stage.send("early", from: .server, at: 1)
        _ = stage.end(.client, .rst, at: 2)
        #expect(stage.send("late", from: .server, at: 3) == ["network.dropped downstream 4"])
        #expect(stage.wait(until: 100) == ["0.052 end 1 server rst"])
    }

    @Test("Outputs that are already due precede those caused by the current input") func dueOutputsComeFirst() {
        var stage = Stage.connected()
        _ = stage.begin(.latency(.init(delay: .milliseconds(50), stream: .upstream)), at: 0)
        _ = stage.send("a", from: .client, at: 0)
        #expect(stage.send("b", from: .server, at: 60) == ["write 1 server a", "write 1 client b"])
    }

    @Test("A reset after a FIN is passed on as a reset to the other side") func aResetAfterAFinStillTearsDown() {
        var stage = Stage.connected()
        _ = stage.end(.client, .fin, at: 1)
        #expect(stage.end(.client, .rst, at: 2) == ["end 1 server rst"])
    }

    @Test("The relay resets the client if the server cannot be reached")
    func resetsAClientWhoseServerCannotBeReached() {
        var stage = Stage()
        stage.play(.accepted(LinkID(.only, 1)), at: 0)
        #expect(
            stage.play(.upstreamFailed(LinkID(.only, 1), .refused), at: 1)
                == ["network.closed server rst", "end 1 client rst"]
        )
    }

    @Test("The relay refuses connections while the server is not listening")
    func refusesInTheNameOfAServerThatDoesNotListen() {
        var stage = Stage(clients: [ClientID("anna"), ClientID("ben")])
        #expect(stage.play(.upstreamListening(false), at: 0) == ["accept anna refusing", "accept ben refusing"])
        #expect(stage.play(.upstreamListening(false), at: 1) == [])
        #expect(stage.play(.upstreamListening(true), at: 2) == ["accept anna open", "accept ben open"])
    }

    @Test("A connection accepted just before the listener starts to refuse is reset") func acceptedTooEarly() {
        var stage = Stage()
        stage.play(.upstreamListening(false), at: 0)
        #expect(
            stage.play(.accepted(LinkID(.only, 1)), at: 1)
                == ["network.accepted", "network.closed network rst", "end 1 client rst"]
        )
    }

    @Test("Inputs for an unknown link have no effect") func unknownLink() {
        var stage = Stage()
        #expect(stage.send("x", from: .client, at: 0) == [])
        #expect(stage.end(.server, .rst, at: 0) == [])
        #expect(stage.play(.upstreamFailed(LinkID(.only, 9), .timedOut), at: 0) == [])
        stage.connect(1, at: 1)
        #expect(stage.play(.accepted(LinkID(.only, 1)), at: 2) == [])
        #expect(stage.send("", from: .client, at: 3) == [])
    }

    @Test("The end of one link does not affect other links") func keepsLinksApart() {
        var stage = Stage()
        for number in 1...5 { stage.connect(number) }
        _ = stage.end(.server, .rst, link: 2, at: 1)
        #expect(stage.send("five", from: .client, link: 5, at: 2) == ["write 5 server five"])
        #expect(stage.send("one", from: .server, link: 1, at: 2) == ["write 1 client one"])
        #expect(stage.send("two", from: .client, link: 2, at: 2) == [])
    }
}
