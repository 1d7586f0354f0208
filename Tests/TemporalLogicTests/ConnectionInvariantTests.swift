import SquallCore
import TemporalLogic
import Testing

@Suite struct ConnectionInvariantTests {
    @Test(
        "honest_ui fails if connected is shown without a received frame for longer than the dead time",
        arguments: [
            (ms(40_100), Outcome.pass), (ms(40_100, 1), .fail),
        ]
    )
    func deadTime(noticed: Instant, outcome: Outcome) {
        let entries = connectedAtOnce + [connection(noticed, "reconnecting")]
        let verdict = judge(.honestUI, entries, end: ms(90_000))
        #expect(verdict.outcome == outcome)
        if outcome == .fail {
            #expect(
                verdict.reason.text
                    == "connection.state was connected at 40.100, although the server had sent nothing since 0.100; "
                    + "expected another state within 40s"
            )
        }
    }

    @Test("honest_ui restarts the dead time after a received frame, sleep or time in the background")
    func deadTimeAnew() {
        let later = connectedAtOnce + [event(ms(30_000), "client.received.message")]
        #expect(judge(.honestUI, later, end: ms(69_999)).outcome == .pass)
        #expect(judge(.honestUI, later, end: ms(70_000)).outcome == .fail)
        let asleep = connectedAtOnce + [event(ms(1000), "client.suspended"), event(ms(80_000), "client.woke")]
        #expect(judge(.honestUI, asleep, end: ms(119_999)).outcome == .pass)
        #expect(judge(.honestUI, asleep, end: ms(120_000)).outcome == .fail)
        let away = connectedAtOnce + [event(ms(1000), "device.background").of("client")]
        #expect(judge(.honestUI, away, end: ms(120_000)).outcome == .pass)
    }

    @Test("honest_ui counts what the server sends as received only for a foreign client without a WebSocket")
    func polling() {
        let polled = connectedAtOnce + [event(ms(30_000), "server.sent.ping").of("client")]
        #expect(judge(.honestUI, polled, end: ms(69_999)).outcome == .pass)
        #expect(judge(.honestUI, polled, end: ms(70_000)).outcome == .fail)
        let overWebSocket = polled + [set(ms(90), "link.state", "connected")]
        #expect(judge(.honestUI, overWebSocket, end: ms(60_000)).outcome == .fail)
        var ownClient = everything
        ownClient.isOwnClient = true
        #expect(judge(.honestUI, polled, end: ms(60_000), settings: ownClient).outcome == .fail)
    }

    @Test("honest_ui fails if delivered is shown before the server has stored the message")
    func delivered() {
        let sent =
            connectedAtOnce + [event(ms(0), "server.started"), accepted(ms(200), "m"), status(ms(200), "m", "sending")]
        let good = sent + [stored(ms(300), "m"), status(ms(320), "m", "delivered")]
        #expect(judge(.honestUI, good, end: ms(900)).outcome == .pass)
        let early = sent + [status(ms(290), "m", "delivered"), stored(ms(300), "m")]
        let verdict = judge(.honestUI, early, end: ms(900))
        #expect(verdict.reason.text == "message.status[m] delivered at 0.290, although the server had not stored it")
        // The invariant ignores messages from other users, and traces in which the server reports nothing.
        let others = connectedAtOnce + [event(ms(0), "server.started"), status(ms(290), "x", "delivered")]
        #expect(judge(.honestUI, others, end: ms(900)).outcome == .pass)
    }

    @Test("honest_ui fails if syncing or refreshing does not end", arguments: ["sync.in_flight", "refresh.in_flight"])
    func syncing(name: String) {
        let begun = connectedAtOnce + [set(ms(1000), name, true), event(ms(20_000), "client.received.message")]
        #expect(judge(.honestUI, begun + [set(ms(31_000), name, false)], end: ms(50_000)).outcome == .pass)
        let verdict = judge(.honestUI, begun + [set(ms(31_000, 1), name, false)], end: ms(50_000))
        #expect(verdict.reason.text == "\(name) since 1.000, and still at 31.000; expected an end within 30s")
        let held = begun + [event(ms(5000), "server.hold")]
        #expect(judge(.honestUI, held, end: ms(50_000)).outcome == .pass)
    }

    @Test(
        "one_live_transport: a second open socket must be closed in time",
        arguments: [
            (ms(1500), Outcome.pass), (ms(1500, 1), .fail),
        ]
    )
    func sockets(closed: Instant, outcome: Outcome) {
        let entries = [
            set(ms(0), "connection.open_sockets", 1), set(ms(500), "connection.open_sockets", 2),
            set(ms(600), "connection.open_sockets", 3), set(closed, "connection.open_sockets", 1),
        ]
        var severalSockets = everything
        severalSockets.sockets = 3
        #expect(judge(.oneLiveTransport, entries, end: ms(5000), settings: severalSockets).outcome == .pass)
        let verdict = judge(.oneLiveTransport, entries, end: ms(5000))
        #expect(verdict.outcome == outcome)
        if outcome == .fail {
            #expect(
                verdict.reason.text
                    == "connection.open_sockets was 3 from 0.500 to 1.500; expected one of them closed within 1s"
            )
        }
    }

    @Test(
        "liveness: a client without faults must be connected within the time limit",
        arguments: [
            (ms(30_000), Outcome.pass), (ms(30_000, 1), .fail),
        ]
    )
    func liveness(time: Instant, outcome: Outcome) {
        let entries = [event(ms(0), "client.started"), connection(ms(0), "connecting"), connection(time, "connected")]
        let verdict = judge(.liveness, entries, end: ms(90_000))
        #expect(verdict.outcome == outcome)
        if outcome == .fail {
            #expect(
                verdict.reason.text
                    == "connection.state was connecting at 30.000, undisturbed since 0.000; expected a "
                    + "connection within 30s"
            )
        }
    }

    @Test("liveness: a lost connection restarts the time limit, but another change of state does not")
    func livenessAfterLoss() {
        let lost = connectedAtOnce + [connection(ms(50_000), "reconnecting")]
        #expect(judge(.liveness, lost, end: ms(79_999)).outcome == .pass)
        #expect(judge(.liveness, lost, end: ms(80_000)).outcome == .fail)
        let changing = lost + [connection(ms(70_000), "connecting")]
        #expect(judge(.liveness, changing, end: ms(79_999)).outcome == .pass)
        #expect(judge(.liveness, changing, end: ms(80_000)).outcome == .fail)
    }

    @Test(
        "liveness: no connection is required while a fault, the server or the user prevents it",
        arguments: [
            [event(ms(1000), "fault.began", key: "x")], [event(ms(1000), "server.stopped")],
            [set(ms(1000), "network.reachable", false)], [set(ms(1000), "network.captive", true)],
            [event(ms(1000), "client.suspended")], [event(ms(1000), "client.killed")],
            [event(ms(1000), "device.background").of("client")], [connection(ms(1000), "unavailable")],
            [event(ms(1000), "client.gave_up")], [event(ms(1000), "server.hold")], [event(ms(1000), "server.delay")],
        ]
    )
    func obstacles(obstacle: [Entry]) {
        let entries = [event(ms(0), "client.started"), connection(ms(0), "connecting")] + obstacle
        #expect(judge(.liveness, entries, end: ms(90_000)).outcome != .fail)
    }

    @Test("liveness: a fault that affects only other clients does not excuse a client")
    func faultsOfOthers() {
        let began = event(ms(1000), "fault.began", ["clients": ["ben"]], key: "x")
        let entries = [event(ms(0), "client.started"), connection(ms(0), "connecting"), began]
        #expect(judge(.liveness, entries, end: ms(90_000)).outcome == .fail)
        let own = event(ms(1000), "fault.began", ["clients": ["client"]], key: "x")
        #expect(judge(.liveness, Array(entries.dropLast()) + [own], end: ms(90_000)).outcome != .fail)
    }

    @Test(
        "liveness: the time limit restarts when the obstacle to a connection ends",
        arguments: [
            [event(ms(1000), "fault.began", key: "x"), event(ms(2000), "fault.ended", key: "x")],
            [event(ms(1000), "fault.began", key: "x"), event(ms(2000), "fault.lifted", key: "x").of("client")],
            [event(ms(1000), "server.stopped"), event(ms(2000), "server.started")],
            [set(ms(1000), "network.reachable", false), set(ms(2000), "network.reachable", true)],
            [event(ms(1000), "client.suspended"), event(ms(2000), "client.woke")],
            [event(ms(2000), "server.rejected.connect")], [event(ms(2000), "server.swallowed.hello")],
            [event(ms(2000), "server.closed", ["code": 1011])],
            [event(ms(2000), "server.answered.ws", ["status": 503])],
            [event(ms(2000), "network.upgrade.refused", ["status": 503])],
            [event(ms(1000), "server.hold"), event(ms(2000), "server.release")],
            [connection(ms(1000), "unavailable"), connection(ms(2000), "connecting")],
        ]
    )
    func obstaclesGone(obstacles: [Entry]) {
        let entries = [event(ms(0), "client.started"), connection(ms(0), "connecting")] + obstacles
        #expect(judge(.liveness, entries, end: ms(31_999)).outcome != .fail)
        #expect(judge(.liveness, entries, end: ms(32_000)).outcome == .fail)
    }

    @Test(
        "liveness: a connection that ends cleanly does not restart the time limit",
        arguments: [
            event(ms(2000), "server.closed", ["code": 1000]), event(ms(2000), "server.closed"),
            event(ms(2000), "network.closed"), event(ms(2000), "server.answered.ws", ["status": 101]),
        ]
    )
    func noObstacle(entry: Entry) {
        let entries = [event(ms(0), "client.started"), connection(ms(0), "connecting"), entry]
        #expect(judge(.liveness, entries, end: ms(30_000)).outcome == .fail)
    }

    @Test("liveness: the tolerance is added to the time limit")
    func livenessTolerance() {
        let entries = [event(ms(0), "client.started"), connection(ms(0), "connecting")]
        let tolerance = Tolerance(fixed: .milliseconds(50))
        #expect(judge(.liveness, entries, end: ms(30_049), tolerance: tolerance).outcome == .skipped)
        #expect(judge(.liveness, entries, end: ms(30_050), tolerance: tolerance).outcome == .fail)
    }

    @Test(
        "terminal_means_stop: after giving up, a client makes no attempt until the user asks for one",
        arguments: [
            (nil, Outcome.fail), ("user.reconnect", .pass), ("device.foreground", .pass), ("client.woke", .pass),
            ("server.post", .fail),
        ] as [(String?, Outcome)]
    )
    func terminal(ask: String?, outcome: Outcome) {
        for end in [connection(ms(1000), "unavailable"), event(ms(1000), "client.gave_up")] {
            var entries = [connection(ms(0), "reconnecting"), end]
            if let ask { entries.append(event(ms(2000), ask).of("client")) }
            entries.append(event(ms(2000), "client.attempt.began"))
            #expect(judge(.terminalMeansStop, entries, end: ms(9000)).outcome == outcome)
            #expect(judge(.terminalMeansStop, Array(entries.dropLast()), end: ms(9000)).outcome == .pass)
        }
    }

    @Test("terminal_means_stop: a client that polls makes one connection attempt after each pause")
    func terminalPause() {
        var settings = everything
        settings.pauseAfterGivingUp = .seconds(3)
        func outcome(_ times: [Int64], after end: Entry) -> Outcome {
            let attempts = times.map { event(ms($0), "client.attempt.began") }
            let entries = [connection(ms(0), "reconnecting"), end] + attempts
            return judge(.terminalMeansStop, entries, end: ms(20_000), settings: settings).outcome
        }
        let gaveUp = event(ms(1000), "client.gave_up")
        #expect(outcome([4000, 7000], after: gaveUp) == .pass)
        #expect(outcome([3999], after: gaveUp) == .fail)
        #expect(outcome([4000, 6999], after: gaveUp) == .fail)
        #expect(outcome([4000], after: connection(ms(1000), "unavailable")) == .fail)
    }

    @Test("terminal_means_stop: the network's return permits an attempt, but an earlier user request does not")
    func terminalReasons() {
        let gone = [event(ms(500), "user.reconnect").of("client"), connection(ms(1000), "auth_required")]
        let attempt = event(ms(2000), "client.attempt.began")
        #expect(judge(.terminalMeansStop, gone + [attempt], end: ms(9000)).outcome == .fail)
        let back = gone + [set(ms(2000), "network.reachable", true), attempt]
        #expect(judge(.terminalMeansStop, back, end: ms(9000)).outcome == .pass)
        let restarted = gone + [event(ms(1500), "client.killed"), event(ms(1800), "client.started"), attempt]
        #expect(judge(.terminalMeansStop, restarted, end: ms(9000)).outcome == .pass)
    }
}
