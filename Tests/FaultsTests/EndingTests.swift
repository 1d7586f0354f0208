import Faults
import SquallCore
import Testing

@Suite struct EndingTests {
    // MARK: - drop

    @Test("'drop' ends both sides with FIN, and new connections still work")
    func dropEndsBothSidesInOrderAndNewConnectionsWork() {
        var stage = Stage.connected()
        #expect(
            stage.begin(.drop(.init()), at: 10) == [
                "fault.began[drop] drop", "network.closed network fin", "end 1 client fin", "end 1 server fin",
                "fault.hit[drop] drop", "fault.ended[drop] drop",
            ]
        )
        #expect(stage.send("x", from: .client, at: 11) == ["network.dropped upstream 1"])
        #expect(stage.end(.client, .fin, at: 12) == [])
        #expect(stage.end(.server, .fin, at: 12) == [])
        stage.connect(2, at: 13)
        #expect(stage.send("x", from: .client, link: 2, at: 14) == ["write 2 server x"])
    }

    @Test("'drop' delivers the bytes in flight before its FIN") func dropLetsWhatIsUnderWayArriveFirst() {
        var stage = Stage.connected()
        _ = stage.begin(.latency(.init(delay: .milliseconds(50))), at: 0)
        _ = stage.send("abc", from: .server, at: 10)
        _ = stage.begin(.drop(.init(.client)), at: 20)
        #expect(stage.wait(until: 100) == ["0.060 write 1 client abc", "0.070 end 1 client fin"])
    }

    @Test("'drop' towards one side half-closes the connection") func dropTowardsOneSideLeavesTheOtherDirectionOpen() {
        var stage = Stage.connected()
        #expect(stage.begin(.drop(.init(.client)), at: 10).contains("end 1 client fin"))
        #expect(stage.send("more", from: .server, at: 11) == ["network.dropped downstream 4"])
        #expect(stage.send("ok", from: .client, at: 11) == ["write 1 server ok"])
        #expect(stage.end(.client, .fin, at: 12) == ["end 1 server fin"])
    }

    // MARK: - reset_peer

    @Test("reset_peer without a delay resets both sides at once") func resetPeerTearsDownAtOnce() {
        var stage = Stage.connected()
        #expect(
            stage.begin(.resetPeer(.init()), at: 10) == [
                "fault.began[reset_peer] reset_peer", "network.closed network rst", "end 1 client rst",
                "end 1 server rst",
                "fault.hit[reset_peer] reset_peer", "fault.ended[reset_peer] reset_peer",
            ]
        )
    }

    @Test("reset_peer with a delay resets both active and idle connections")
    func resetPeerWithADelay() {
        var stage = Stage.connected()
        stage.connect(2)
        _ = stage.begin(.resetPeer(.init(after: .milliseconds(100))), at: 10)
        for time in stride(from: 20.0, to: 110, by: 10) { _ = stage.send("x", from: .client, link: 2, at: time) }
        stage.connect(3, at: 105)
        #expect(
            stage.wait(until: 1000) == [
                "0.110 network.closed network rst", "0.110 end 1 client rst", "0.110 end 1 server rst",
                "0.110 fault.hit[reset_peer] reset_peer", "0.110 network.closed network rst", "0.110 end 2 client rst",
                "0.110 end 2 server rst",
                "0.110 fault.ended[reset_peer] reset_peer",
            ]
        )
        #expect(stage.send("x", from: .client, link: 3, at: 1001) == ["write 3 server x"])
    }

    @Test("reset_peer with a duration also resets new connections") func resetPeerThatLastsHitsNewConnectionsToo() {
        var stage = Stage()
        _ = stage.begin(.resetPeer(.init(after: .milliseconds(5))), for: .seconds(1), at: 0)
        stage.connect(1, at: 100)
        #expect(
            stage.wait(until: 200) == [
                "0.105 network.closed network rst", "0.105 end 1 client rst", "0.105 end 1 server rst",
                "0.105 fault.hit[reset_peer] reset_peer",
            ]
        )
    }

    @Test("reset_peer resets the server's side as soon as that connection is open")
    func aResetReachesAServersConnectionThatIsBeingMade() {
        var stage = Stage()
        stage.play(.accepted(LinkID(.only, 1)), at: 0)
        #expect(stage.begin(.resetPeer(.init()), at: 1).contains("end 1 client rst"))
        #expect(stage.play(.upstreamOpened(LinkID(.only, 1)), at: 2) == ["end 1 server rst"])
    }

    // MARK: - Accepting

    @Test("'refuse' rejects new connections and does not affect open ones") func refuse() {
        var stage = Stage.connected()
        #expect(
            stage.begin(.refuse(.init()), for: .seconds(1), at: 0) == ["fault.began[refuse] refuse", "accept refusing"]
        )
        #expect(stage.send("x", from: .client, at: 1) == ["write 1 server x"])
        #expect(stage.wait(until: 5000) == ["1.000 fault.ended[refuse] refuse", "1.000 accept open"])
    }

    @Test("accept_then_close works even if the server is not listening", arguments: LinkEnd.allCases)
    func acceptThenCloseNeedsNoServer(_ how: LinkEnd) {
        var stage = Stage()
        _ = stage.play(.upstreamListening(false), at: 0)
        #expect(
            stage.begin(.acceptThenClose(.init(how)), at: 0)
                == ["fault.began[accept_then_close] accept_then_close", "accept open"]
        )
        #expect(
            stage.play(.accepted(LinkID(.only, 1)), at: 1)
                == [
                    "network.accepted", "network.closed network \(how)", "end 1 client \(how)",
                    "fault.hit[accept_then_close] accept_then_close",
                ]
        )
        #expect(stage.send("GET", from: .client, at: 2).allSatisfy { $0.hasPrefix("network.dropped") || $0.isEmpty })
        #expect(stage.play(.healAll, at: 3) == ["fault.ended[accept_then_close] accept_then_close", "accept refusing"])
    }

    // MARK: - limit_data and cut

    @Test("'cut' with fin ends both sides after the given byte") func cutByFinEndsBothSidesBehindTheByte() {
        var stage = Stage.connected()
        _ = stage.begin(.cut(.init(atByte: 5, stream: .downstream)), at: 0)
        #expect(stage.send("abc", from: .server, at: 1) == ["write 1 client abc"])
        #expect(stage.send("up", from: .client, at: 1) == ["write 1 server up"])
        #expect(
            stage.send("defg", from: .server, at: 2) == [
                "write 1 client de", "end 1 client fin", "network.dropped downstream 2", "network.closed network fin",
                "end 1 server fin", "fault.hit[cut] cut",
            ]
        )
        #expect(stage.play(.healAll, at: 3) == ["fault.ended[cut] cut"])
        #expect(stage.send("x", from: .server, at: 4) == ["network.dropped downstream 1"])
    }

    @Test("'cut' with rst resets both sides after the given byte") func cutByResetTearsDownBothSides() {
        var stage = Stage.connected()
        _ = stage.begin(.cut(.init(atByte: 2, how: .rst)), at: 0)
        #expect(
            stage.send("abc", from: .client, at: 1) == [
                "write 1 server ab", "end 1 server rst", "network.dropped upstream 1", "network.closed network rst",
                "end 1 client rst", "fault.hit[cut] cut",
            ]
        )
    }

    @Test("The bytes before a cut, and its reset, pass through the faults after it")
    func bytesBeforeACut() {
        var stage = Stage.connected()
        _ = stage.begin(.cut(.init(atByte: 2, how: .rst, stream: .upstream)), at: 0)
        _ = stage.begin(.latency(.init(delay: .milliseconds(30))), at: 0)
        #expect(stage.send("abc", from: .client, at: 1).contains("end 1 client rst"))
        #expect(stage.wait(until: 100) == ["0.031 write 1 server ab", "0.031 end 1 server rst"])
    }

    @Test("Bytes after a cut are never delivered, even after the fault is healed")
    func nothingFollowsACut() {
        var stage = Stage.connected()
        _ = stage.begin(.latency(.init(delay: .milliseconds(30))), at: 0)
        _ = stage.begin(.cut(.init(atByte: 2, stream: .upstream)), as: "cut", at: 0)
        _ = stage.begin(.latency(.init(delay: .milliseconds(30))), as: "far", at: 0)
        _ = stage.send("abc", from: .client, at: 1)
        _ = stage.send("def", from: .client, at: 20)
        _ = stage.wait(until: 40)
        _ = stage.play(.heal(label: "cut"), at: 41)
        _ = stage.wait(until: 1000)
        #expect(stage.written[.server] == Array("ab".utf8))
    }

    @Test("limit_data counts each connection and direction separately, from the beginning of the fault")
    func limitDataCountsEachConnectionAndDirection() {
        var stage = Stage.connected()
        _ = stage.send("before", from: .client, at: 0)
        _ = stage.begin(.limitData(.init(bytes: 3)), at: 1)
        stage.connect(2, at: 1)
        #expect(stage.send("abcd", from: .client, link: 1, at: 2).contains("write 1 server abc"))
        #expect(stage.send("ab", from: .client, link: 2, at: 2) == ["write 2 server ab"])
        #expect(stage.send("ab", from: .server, link: 2, at: 2) == ["write 2 client ab"])
        #expect(stage.send("c", from: .client, link: 2, at: 3).contains("end 2 server fin"))
    }

    @Test("limit_data with then: timeout discards further bytes and closes the connection when the fault ends")
    func limitDataThenSilenceEndsWithTheFault() {
        var stage = Stage.connected()
        _ = stage.begin(.limitData(.init(bytes: 2, then: .timeout, stream: .upstream)), at: 0)
        #expect(
            stage.send("abc", from: .client, at: 1) == [
                "write 1 server ab", "network.dropped upstream 1", "fault.hit[limit_data] limit_data",
            ]
        )
        #expect(stage.end(.client, .fin, at: 2) == ["network.closed client fin"])
        #expect(
            stage.play(.healAll, at: 3) == [
                "fault.ended[limit_data] limit_data", "end 1 client fin", "end 1 server fin",
            ]
        )
    }

    @Test("limit_data does not end a connection that stays below the limit")
    func limitDataThatWasNotReachedLeavesTheConnectionAlone() {
        var stage = Stage.connected()
        _ = stage.begin(.limitData(.init(bytes: 2, then: .timeout)), at: 0)
        _ = stage.send("a", from: .client, at: 1)
        #expect(stage.play(.healAll, at: 3) == ["fault.ended[limit_data] limit_data"])
        #expect(stage.send("bc", from: .client, at: 4) == ["write 1 server bc"])
    }

    @Test("limit_data of zero ends the connection before the first byte") func aLimitOfZeroEndsBeforeTheFirstByte() {
        var stage = Stage.connected()
        _ = stage.begin(.limitData(.init(bytes: 0, stream: .downstream)), at: 0)
        #expect(stage.send("a", from: .server, at: 1).first == "end 1 client fin")
        #expect(stage.written[.client] == nil)
    }

    // MARK: - timeout

    @Test("'timeout' discards all bytes and closes the connection once the given time has passed")
    func timeoutThrowsAwayAndClosesWhateverTheTraffic() {
        var stage = Stage.connected()
        _ = stage.begin(.timeout(.init(.milliseconds(100))), at: 0)
        for time in stride(from: 10.0, to: 100, by: 10) {
            if time == 50 { stage.connect(2, at: 50) }
            #expect(stage.send("x", from: .client, at: time) == ["network.dropped upstream 1"])
        }
        #expect(
            stage.wait(until: 1000) == [
                "0.100 network.closed network fin", "0.100 end 1 client fin", "0.100 end 1 server fin",
                "0.150 network.closed network fin", "0.150 end 2 client fin", "0.150 end 2 server fin",
            ]
        )
    }

    @Test("'timeout' of zero closes the connection only when the fault ends") func timeoutOfZeroEndsWithTheFault() {
        var stage = Stage.connected()
        _ = stage.begin(.timeout(.init(.zero)), at: 0)
        _ = stage.send("x", from: .server, at: 1)
        #expect(stage.wait(until: 100_000) == [])
        #expect(
            stage.play(.healAll, at: 100_000)
                == [
                    "fault.ended[timeout] timeout", "network.closed network fin", "end 1 client fin",
                    "end 1 server fin",
                ]
        )
    }

    @Test("With two timeouts the connection is closed after the later one") func twoTimeoutsBothEndTheConnection() {
        var stage = Stage.connected()
        _ = stage.begin(.timeout(.init(.milliseconds(10))), as: "one", at: 0)
        _ = stage.begin(.timeout(.init(.milliseconds(30))), as: "two", at: 0)
        #expect(
            stage.wait(until: 100)
                == ["0.010 network.closed network fin", "0.030 end 1 client fin", "0.030 end 1 server fin"]
        )
    }

    @Test("After a discarded byte no later byte of the same connection is delivered")
    func noByteComesOutBehindOneThatWasThrownAway() {
        var stage = Stage.connected()
        _ = stage.begin(.latency(.init(delay: .milliseconds(50))), at: 0)
        _ = stage.begin(.timeout(.init(.zero)), as: "gone", at: 0)
        _ = stage.send("a", from: .client, at: 1)
        _ = stage.wait(until: 51)
        _ = stage.send("b", from: .client, at: 60)
        _ = stage.play(.heal(label: "gone"), at: 70)
        #expect(stage.wait(until: 1000) == ["0.120 end 1 server fin", "0.120 end 1 client fin"])
        #expect(stage.written.isEmpty)
    }
}
