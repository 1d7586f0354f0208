import Faults
import SquallCore
import Testing

@Suite struct CombinationTests {
    @Test("The strictest accept mode of all active faults applies") func strictestAcceptMode() {
        var stage = Stage()
        #expect(stage.begin(.refuse(.init()), as: "r", at: 0).contains("accept refusing"))
        #expect(stage.begin(.blackhole(.init()), as: "b", at: 1).contains("accept dropping"))
        #expect(stage.play(.upstreamListening(false), at: 2) == [])
        #expect(stage.play(.heal(label: "r"), at: 3) == ["fault.ended[r] refuse"])
        #expect(stage.play(.heal(label: "b"), at: 4) == ["fault.ended[b] blackhole", "accept refusing"])
        #expect(stage.play(.upstreamListening(true), at: 5) == ["accept open"])
    }

    @Test("Bytes held by two stalls are released when the second stall ends") func stallsNestByLabel() {
        var stage = Stage.connected()
        _ = stage.begin(.stall(.init()), as: "outer", at: 0)
        #expect(stage.begin(.stall(.init()), as: "inner", at: 1) == ["fault.began[inner] stall"])
        _ = stage.send("a", from: .client, at: 2)
        #expect(stage.play(.heal(label: "outer"), at: 3) == ["fault.ended[outer] stall"])
        _ = stage.send("b", from: .client, at: 4)
        #expect(
            stage.play(.heal(label: "inner"), at: 5) == [
                "fault.ended[inner] stall", "write 1 server a", "write 1 server b", "read 1 client none",
                "read 1 server none",
            ]
        )
    }

    @Test("A connection that was blackholed during a stall stays lost after both faults end")
    func aBlackholeOutlivesTheStallAroundIt() {
        var stage = Stage.connected()
        _ = stage.begin(.stall(.init()), at: 0)
        #expect(stage.begin(.blackhole(.init()), at: 1).contains("read 1 client unacknowledged"))
        #expect(
            stage.play(.healAll, at: 2) == [
                "fault.ended[stall] stall", "fault.ended[blackhole] blackhole", "accept open",
            ]
        )
    }

    @Test("Bytes released by the end of a latency pass through the faults after it")
    func releasedBytesReachLaterFaults() {
        var stage = Stage.connected()
        _ = stage.begin(.latency(.init(delay: .milliseconds(50))), as: "l", at: 0)
        _ = stage.begin(.cut(.init(atByte: 2, stream: .downstream)), at: 0)
        #expect(!stage.send("abc", from: .server, at: 1).contains("fault.hit[cut] cut"))
        #expect(stage.play(.heal(label: "l"), at: 3).contains("fault.hit[cut] cut"))
    }

    @Test("A fault that is started again reports its first hit again") func faultThatBeginsAgain() {
        var stage = Stage.connected()
        for time in [0.0, 10] {
            #expect(stage.begin(.corrupt(.init(oneIn: 1)), as: "c", at: time).contains("fault.began[c] corrupt"))
            #expect(stage.send("abc", from: .server, at: time + 1).contains("fault.hit[c] corrupt"))
            #expect(!stage.send("abc", from: .server, at: time + 2).contains("fault.hit[c] corrupt"))
        }
    }

    @Test("A FIN caused by a drop during a stall is delivered after the stall")
    func aDropDuringAStallIsLearntAtItsEnd() {
        var stage = Stage.connected()
        _ = stage.begin(.stall(.init()), as: "s", at: 0)
        _ = stage.send("last", from: .server, at: 1)
        #expect(
            stage.begin(.drop(.init()), at: 2)
                == [
                    "fault.began[drop] drop", "network.closed network fin", "fault.hit[drop] drop",
                    "fault.ended[drop] drop",
                ]
        )
        let lines = stage.play(.heal(label: "s"), at: 3)
        #expect(
            lines.filter { $0.hasPrefix("write") || $0.hasPrefix("end") } == [
                "end 1 server fin", "write 1 client last", "end 1 client fin",
            ]
        )
    }

    @Test("A fault without a label is named by its verb, with a number if the name is in use")
    func labelsAreTheVerbWhereNoneIsGiven() {
        var stage = Stage()
        #expect(stage.begin(.refuse(.init()), at: 0).first == "fault.began[refuse] refuse")
        #expect(stage.begin(.refuse(.init()), at: 0).first == "fault.began[refuse-2] refuse")
        #expect(stage.play(.heal(label: "refuse"), at: 1) == ["fault.ended[refuse] refuse"])
        #expect(stage.begin(.refuse(.init()), at: 2).first == "fault.began[refuse] refuse")
        #expect(stage.play(.heal(label: "nothing"), at: 3) == [])
        #expect(stage.play(.healAll, at: 4).last == "accept open")
    }

    @Test("A new fault with a label that is in use replaces the earlier fault") func aLabelThatIsTakenIsTakenOver() {
        var stage = Stage()
        _ = stage.begin(.refuse(.init()), as: "x", at: 0)
        #expect(
            stage.begin(.blackhole(.init()), as: "x", at: 1)
                == ["fault.ended[x] refuse", "accept open", "fault.began[x] blackhole", "accept dropping"]
        )
    }

    @Test("A fault for named clients does not affect other clients") func hitsOnlyTheClientsItIsMeantFor() {
        let anna = ClientID("anna")
        let ben = ClientID("ben")
        var stage = Stage(clients: [anna, ben])
        for client in [anna, ben] {
            stage.play(.accepted(LinkID(client, 1)), at: 0)
            stage.play(.upstreamOpened(LinkID(client, 1)), at: 0)
        }
        #expect(
            stage.play(.begin(Fault(.blackhole(.init())), label: nil, clients: [ben]), at: 1) == [
                "fault.began[blackhole] blackhole [\"ben\"]", "accept ben dropping", "read ben~1 client unacknowledged",
                "read ben~1 server unacknowledged",
            ]
        )
        #expect(stage.play(.received(LinkID(anna, 1), from: .client, [65]), at: 2) == ["write anna~1 server A"])
    }

    @Test("Every fault with a duration ends after that duration and leaves no deadline")
    func everyFaultEndsAfterItsSpan() {
        let kinds: [Fault.Kind] = [
            .latency(.init(delay: .seconds(1))), .bandwidth(.init(rate: 1)), .slicer(.init(averageSize: 1)),
            .slowClose(.init(delay: .seconds(1))), .limitData(.init(bytes: 1)), .timeout(.init(.seconds(10))),
            .refuse(.init()), .acceptThenClose(.init()), .cut(.init(atByte: 1)), .stall(.init()), .blackhole(.init()),
            .halfOpen(.init()), .captivePortal(.init()), .upgradeStatus(.init(503)),
            .resetPeer(.init(after: .seconds(10))),
            .flap(.init(up: .seconds(100), down: .seconds(100))),
        ]
        for kind in kinds {
            var stage = Stage.connected()
            _ = stage.begin(kind, for: .milliseconds(1500), as: "x", at: 0)
            let ended = stage.wait(until: 5000).filter { $0.contains("fault.ended") }
            #expect(ended == ["1.500 fault.ended[x] \(Fault(kind).verb)"])
            #expect(stage.relay.nextDeadline == nil)
        }
    }

    @Test("A flap alternates between outages and periods of normal service") func flapsBetweenOutages() {
        var stage = Stage.connected()
        let began = stage.begin(.flap(.init(up: .milliseconds(300), down: .milliseconds(100), outage: .refuse)), at: 0)
        #expect(began == ["fault.began[flap] flap", "accept refusing"])
        #expect(
            stage.wait(until: 550) == [
                "0.100 fault.turned[flap] flap false", "0.100 accept open",
                "0.400 fault.turned[flap] flap true", "0.400 accept refusing",
                "0.500 fault.turned[flap] flap false", "0.500 accept open",
            ]
        )
        #expect(stage.play(.healAll, at: 600) == ["fault.ended[flap] flap"])
        #expect(stage.relay.nextDeadline == nil)
    }

    @Test("Each outage of a flap makes the open connections unresponsive") func flapLosesOpenConnections() {
        var stage = Stage.connected()
        _ = stage.begin(.flap(.init(up: .milliseconds(300), down: .milliseconds(100))), at: 0)
        _ = stage.wait(until: 100)
        stage.connect(2, at: 200)
        #expect(stage.send("x", from: .client, link: 2, at: 300) == ["write 2 server x"])
        #expect(
            stage.wait(until: 400).suffix(2) == [
                "0.400 read 2 client unacknowledged", "0.400 read 2 server unacknowledged",
            ]
        )
    }

    @Test("A flap with durations of zero or less still advances time") func aFlapOfNoLengthStillPasses() {
        var stage = Stage()
        _ = stage.begin(.flap(.init(up: .zero, down: TimeSpan(nanoseconds: -5))), at: 0)
        #expect(stage.wait(until: 10).count == 20)
    }

    @Test("When a timer fires late, later delays count from its planned time")
    func releasedByALateTimer() {
        var stage = Stage.connected()
        _ = stage.begin(.stall(.init()), for: .milliseconds(55), at: 0)
        _ = stage.begin(.latency(.init(delay: .milliseconds(30))), at: 0)
        _ = stage.send("x", from: .client, at: 1)
        _ = stage.play(.timer, at: 60)
        #expect(stage.relay.nextDeadline == .at(85))
        #expect(stage.wait(until: 100) == ["0.085 write 1 server x"])
    }

    @Test("A timer that fires late gives the same outputs in the same order") func lateTimersChangeNothingButTheTime() {
        func run(late: Bool) -> [String] {
            var stage = Stage.connected()
            _ = stage.begin(.latency(.init(delay: .milliseconds(30), jitter: .milliseconds(20))), at: 0)
            _ = stage.begin(.bandwidth(.init(rate: 20_000)), at: 0)
            _ = stage.begin(.cut(.init(atByte: 900, stream: .upstream)), for: .milliseconds(70), at: 0)
            _ = stage.begin(.stall(.init(stream: .downstream)), for: .milliseconds(55), at: 0)
            _ = stage.send(String(repeating: "abcdefgh", count: 100), from: .client, at: 1)
            _ = stage.send(String(repeating: "ijkl", count: 100), from: .server, at: 2)
            if late { return stage.play(.timer, at: 500) }
            return stage.timed(until: .at(500)).map { line($0.output) }
        }
        #expect(run(late: true) == run(late: false))
        #expect(run(late: false).contains { $0.hasPrefix("write 1 client ijkl") })
    }
}
