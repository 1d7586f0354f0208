import Foundations
import TemporalLogic
import Testing

/// Settings under which everything is judged.
private let settings = InvariantSettings(
    backoff: BackoffBounds(base: .seconds(1), cap: .seconds(8), floor: .seconds(1), jitter: Ratio(1, of: 4) ?? .never),
    deadTime: .seconds(40),
    pongLimit: .seconds(10),
    liveness: .seconds(30),
    refetch: .seconds(2),
    transitions: [
        StateTransition("idle", "connecting"), StateTransition("connecting", "connected"),
        StateTransition("connected", "reconnecting"), StateTransition("reconnecting", "connected"),
        StateTransition("reconnecting", "unavailable"), StateTransition("unavailable", "connecting"),
        StateTransition("connected", "offline"), StateTransition("offline", "connecting"),
    ]
)

/// What an invariant says of a trace.
private func judge(
    _ name: InvariantName,
    _ entries: [Entry],
    end: Instant,
    settings: InvariantSettings = settings,
    clients: [ClientID] = [.only],
    tolerance: Tolerance = .none
) -> Verdict {
    let sorted = entries.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    let judgement = MonitorSet.judge(
        recording(sorted, end: end), [], invariants: settings, clients: clients, tolerance: tolerance
    )
    return judgement.invariants.first { $0.name == name }?.verdict ?? .skipped("not judged at all")
}

private func connection(_ time: Instant, _ word: JSON) -> Entry { set(time, "connection.state", word) }

/// A client that comes up and is connected at 100 ms.
private let connectedAtOnce = [
    event(ms(0), "client.started"), connection(ms(0), "idle"), event(ms(1), "client.attempt.began", ["number": 1]),
    connection(ms(1), "connecting"), event(ms(50), "client.received.hello"), event(ms(50), "client.sent.connect"),
    event(ms(100), "client.received.connected", ["resumed": false]), event(ms(100), "client.connected", ["resumed": false]),
    connection(ms(100), "connected"),
]

private func stored(_ time: Instant, _ key: String, _ sequence: Int64 = 1) -> Entry {
    event(
        time, "server.stored", ["conversation": "stukov", "sequence": .integer(sequence), "origin": "client"], key: key
    )
}

private func accepted(_ time: Instant, _ key: String) -> Entry {
    event(time, "client.accepted", ["conversation": "stukov"], key: key)
}

private func status(_ time: Instant, _ key: String, _ word: JSON) -> Entry { set(time, "message.status", word, key: key) }

@Suite struct InvariantSetTests {
    @Test("judges the fourteen, in the order of their names, and has nothing to say of an empty run")
    func names() {
        let invariants = MonitorSet.judge(recording([], end: ms(10)), [], invariants: settings).invariants
        #expect(invariants.map(\.name) == InvariantName.allCases)
        #expect(invariants.count == 14)
        #expect(invariants.allSatisfy { $0.verdict.outcome == .skipped && !$0.verdict.reason.text.isEmpty })
    }

    @Test("a quiet run keeps what it is about")
    func quiet() {
        let invariants = MonitorSet.judge(recording(connectedAtOnce, end: ms(5000)), [], invariants: settings).invariants
        #expect(!invariants.contains { $0.verdict.outcome == .fail })
        let kept = invariants.filter { $0.verdict.outcome == .pass }.map(\.name)
        #expect(kept == [.honestUI, .liveness, .noSilentGap, .subscriptionsFollowSession, .statesWellFormed])
    }

    @Test("a waived one is not judged, and says why")
    func waived() {
        var waiving = settings
        waiving.waived[.statesWellFormed] = "the app under test repeats itself"
        let twice = [connection(ms(0), "connected"), connection(ms(1), "connected")]
        #expect(judge(.statesWellFormed, twice, end: ms(9)).outcome == .fail)
        let verdict = judge(.statesWellFormed, twice, end: ms(9), settings: waiving)
        #expect(verdict == .skipped("waived: the app under test repeats itself"))
    }

    @Test("each client is judged for itself, and named where it is not the only one")
    func clients() {
        let anna = ClientID("anna")
        let entries = [connection(ms(0), "connected"), connection(ms(1), "connected").of("anna")]
        #expect(judge(.statesWellFormed, entries, end: ms(9), clients: [.only, anna]).outcome == .pass)
        let twice = entries + [connection(ms(2), "connected").of("anna")]
        let verdict = judge(.statesWellFormed, twice, end: ms(9), clients: [.only, anna])
        #expect(verdict.reason.text == "anna: connection.state connected twice in a row, at 0.002")
    }
}

@Suite struct MessageInvariantTests {
    @Test("accepted is never lost: stored, on its way, or failed; anything else is lost", arguments: [
        ("stored", Outcome.pass), ("queued", .pass), ("sending", .pass), ("failed", .pass), ("delivered", .fail),
        ("nothing", .fail),
    ])
    func acceptedNeverLost(fate: String, outcome: Outcome) {
        var entries = connectedAtOnce + [
            event(ms(0), "server.started"), accepted(ms(200), "m"), accepted(ms(200), "other"), stored(ms(250), "other"),
            status(ms(200), "other", "sending"),
        ]
        switch fate {
        case "stored": entries.append(stored(ms(300), "m", 2))
        case "nothing": break
        default: entries.append(status(ms(300), "m", .string(fate)))
        }
        let verdict = judge(.acceptedNeverLost, entries, end: ms(60_000))
        #expect(verdict.outcome == outcome)
        if fate == "nothing" {
            #expect(
                verdict.reason.text
                    == "message m, accepted at 0.200, was not stored by the server, and its status at the end was null; expected "
                    + "queued, sending or failed"
            )
        }
    }

    @Test("after a kill the new process has to show what the old one accepted")
    func acceptedAcrossKill() {
        let before = connectedAtOnce + [
            event(ms(0), "server.started"), accepted(ms(200), "m"), status(ms(200), "m", "queued"),
            event(ms(5000), "client.killed"),
        ]
        #expect(judge(.acceptedNeverLost, before, end: ms(90_000)).outcome == .skipped)
        let restarted = before + [event(ms(6000), "client.started")]
        #expect(judge(.acceptedNeverLost, restarted, end: ms(7000)).outcome == .skipped)
        #expect(judge(.acceptedNeverLost, restarted, end: ms(90_000)).outcome == .fail)
        let shown = restarted + [status(ms(6001), "m", "queued")]
        #expect(judge(.acceptedNeverLost, shown, end: ms(90_000)).outcome == .pass)
    }

    @Test("what was on its way to the store when the process was killed may be gone")
    func storing() {
        var patient = settings
        patient.storing = .milliseconds(50)
        func outcome(_ kill: Instant) -> Outcome {
            let entries = connectedAtOnce + [
                event(ms(0), "server.started"), accepted(ms(200), "m"), status(ms(200), "m", "queued"),
                event(kill, "client.killed"), event(ms(6000), "client.started"),
            ]
            return judge(.acceptedNeverLost, entries, end: ms(90_000), settings: patient).outcome
        }
        #expect(outcome(ms(250)) == .pass)
        #expect(outcome(ms(250, 1)) == .fail)
    }

    @Test("without a server that is seen, nothing is said of what it stored")
    func foreignServer() {
        let entries = connectedAtOnce + [accepted(ms(200), "m"), status(ms(201), "m", "delivered")]
        #expect(judge(.acceptedNeverLost, entries, end: ms(90_000)).outcome == .skipped)
    }

    @Test("no duplicate effect: stored twice, listed twice, on the screen twice")
    func noDuplicateEffect() {
        let good = [stored(ms(1), "m"), set(ms(2), "conversation.messages", ["m"], key: "stukov"), set(ms(2), "view.rows", ["m"])]
        #expect(judge(.noDuplicateEffect, good, end: ms(99)).outcome == .pass)
        #expect(judge(.noDuplicateEffect, good + [stored(ms(3), "m")], end: ms(99)).outcome == .fail)
        for (name, key) in [("conversation.messages", "stukov"), ("view.rows", nil)] as [(String, String?)] {
            let again = good + [change(ms(5), name, .inserted(at: 1, "m"), key: key)]
            let verdict = judge(.noDuplicateEffect, again, end: ms(99))
            #expect(verdict.reason.text == "message m stood in \(name) twice at 0.005")
            let undone = again + [change(ms(5), name, .removed(at: 0), key: key)]
            #expect(judge(.noDuplicateEffect, undone, end: ms(99)).outcome == .pass)
        }
    }

    @Test("order: what was accepted first is stored first, unless it had visibly failed")
    func order() {
        let sent = [accepted(ms(1), "a"), accepted(ms(2), "b")]
        #expect(judge(.order, sent + [stored(ms(3), "a"), stored(ms(4), "b")], end: ms(99)).outcome == .pass)
        let verdict = judge(.order, sent + [stored(ms(3), "b"), stored(ms(4), "a")], end: ms(99))
        #expect(verdict.reason.text == "message a was stored at 0.004, after one that the user had sent later")
        let failed = sent + [status(ms(2), "a", "failed"), stored(ms(3), "b"), stored(ms(4), "a")]
        #expect(judge(.order, failed, end: ms(99)).outcome == .pass)
        #expect(judge(.order, sent + [stored(ms(3), "b")], end: ms(99)).outcome == .skipped)
        // Another conversation keeps an order of its own.
        let apart = [
            accepted(ms(1), "a"), event(ms(2), "client.accepted", ["conversation": "kerrigan"], key: "b"),
            stored(ms(3), "b"), stored(ms(4), "a"),
        ]
        #expect(judge(.order, apart, end: ms(99)).outcome == .skipped)
    }

    @Test("no silent gap: what was noticed is asked for in time", arguments: [
        (ms(3000), Outcome.pass), (ms(3000, 1), .fail),
    ])
    func noticedGap(refresh: Instant, outcome: Outcome) {
        let entries = connectedAtOnce + [
            event(ms(1000), "client.gap_detected", ["from": 2, "to": 3]), event(refresh, "client.refresh.began"),
        ]
        #expect(judge(.noSilentGap, entries, end: ms(9000)).outcome == outcome)
        let partial = connectedAtOnce + [
            event(ms(1000), "client.received.replay", ["complete": false]), event(refresh, "client.sent.sync"),
        ]
        #expect(judge(.noSilentGap, partial, end: ms(9000)).outcome == outcome)
    }

    @Test("no silent gap: a fault, or a lost connection, gives more time")
    func gapInTrouble() {
        let gap = connectedAtOnce + [event(ms(1000), "client.gap_detected", ["from": 2, "to": 3])]
        let faulty = gap + [event(ms(1100), "fault.began", key: "x")]
        #expect(judge(.noSilentGap, faulty, end: ms(9000)).outcome == .pass)
        let lost = gap + [event(ms(1100), "client.disconnected"), connection(ms(1100), "reconnecting")]
        #expect(judge(.noSilentGap, lost, end: ms(9000)).outcome == .pass)
        #expect(judge(.noSilentGap, gap, end: ms(9000)).outcome == .fail)
    }

    @Test("no silent gap: a message missing between others that are shown")
    func hole() {
        let stores = ["a", "b", "c"].enumerated().map { stored(ms(Int64($0.offset) + 200), $0.element, Int64($0.offset) + 1) }
        func shown(_ keys: JSON...) -> [Entry] {
            connectedAtOnce + stores + [set(ms(300), "conversation.messages", .array(keys), key: "stukov")]
        }
        let verdict = judge(.noSilentGap, shown("a", "c"), end: ms(9000))
        #expect(
            verdict.reason.text
                == "message b was never shown, although messages before and after it were, and the client had noticed no gap"
        )
        #expect(judge(.noSilentGap, shown("a", "b", "c"), end: ms(9000)).outcome == .pass)
        // The ends may be on other pages; and a hole may be about to close.
        #expect(judge(.noSilentGap, shown("b", "c"), end: ms(9000)).outcome == .pass)
        #expect(judge(.noSilentGap, shown("a", "c"), end: ms(2299)).outcome != .fail)
    }
}

@Suite struct ConnectionInvariantTests {
    @Test("honest: connected is shown no longer than the dead time without a frame", arguments: [
        (ms(40_100), Outcome.pass), (ms(40_100, 1), .fail),
    ])
    func deadTime(noticed: Instant, outcome: Outcome) {
        let entries = connectedAtOnce + [connection(noticed, "reconnecting")]
        let verdict = judge(.honestUI, entries, end: ms(90_000))
        #expect(verdict.outcome == outcome)
        if outcome == .fail {
            #expect(
                verdict.reason.text
                    == "connection.state was connected at 40.100, although nothing had come from the server since 0.100; "
                    + "expected another state within 40s"
            )
        }
    }

    @Test("honest: frames, sleep and the background begin the dead time anew")
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

    @Test("honest: delivered only once the server has it")
    func delivered() {
        let sent = connectedAtOnce + [event(ms(0), "server.started"), accepted(ms(200), "m"), status(ms(200), "m", "sending")]
        let good = sent + [stored(ms(300), "m"), status(ms(320), "m", "delivered")]
        #expect(judge(.honestUI, good, end: ms(900)).outcome == .pass)
        let early = sent + [status(ms(290), "m", "delivered"), stored(ms(300), "m")]
        let verdict = judge(.honestUI, early, end: ms(900))
        #expect(verdict.reason.text == "message.status[m] delivered at 0.290, although the server had not stored it")
        // Of other people's messages, and without a server that is seen, nothing is said.
        let others = connectedAtOnce + [event(ms(0), "server.started"), status(ms(290), "x", "delivered")]
        #expect(judge(.honestUI, others, end: ms(900)).outcome == .pass)
    }

    @Test("honest: syncing and refreshing come to an end", arguments: ["sync.in_flight", "refresh.in_flight"])
    func syncing(name: String) {
        let begun = connectedAtOnce + [set(ms(1000), name, true), event(ms(20_000), "client.received.message")]
        #expect(judge(.honestUI, begun + [set(ms(31_000), name, false)], end: ms(50_000)).outcome == .pass)
        let verdict = judge(.honestUI, begun + [set(ms(31_000, 1), name, false)], end: ms(50_000))
        #expect(verdict.reason.text == "\(name) since 1.000, and still at 31.000; expected an end within 30s")
        let held = begun + [event(ms(5000), "server.hold")]
        #expect(judge(.honestUI, held, end: ms(50_000)).outcome == .pass)
    }

    @Test("one live transport: a second socket is closed in time", arguments: [
        (ms(1500), Outcome.pass), (ms(1500, 1), .fail),
    ])
    func sockets(closed: Instant, outcome: Outcome) {
        let entries = [
            set(ms(0), "connection.open_sockets", 1), set(ms(500), "connection.open_sockets", 2),
            set(ms(600), "connection.open_sockets", 3), set(closed, "connection.open_sockets", 1),
        ]
        let verdict = judge(.oneLiveTransport, entries, end: ms(5000))
        #expect(verdict.outcome == outcome)
        if outcome == .fail {
            #expect(
                verdict.reason.text
                    == "connection.open_sockets was 3 from 0.500 to 1.500; expected one of them closed within 1s"
            )
        }
    }

    @Test("liveness: left in peace, a client is connected in time", arguments: [
        (ms(30_000), Outcome.pass), (ms(30_000, 1), .fail),
    ])
    func liveness(time: Instant, outcome: Outcome) {
        let entries = [event(ms(0), "client.started"), connection(ms(0), "connecting"), connection(time, "connected")]
        let verdict = judge(.liveness, entries, end: ms(90_000))
        #expect(verdict.outcome == outcome)
        if outcome == .fail {
            #expect(
                verdict.reason.text
                    == "connection.state was connecting at 30.000, with nothing in the client's way since 0.000; expected a "
                    + "connection within 30s"
            )
        }
    }

    @Test("liveness: a lost connection has its time from then on, and changes of state win none")
    func livenessAfterLoss() {
        let lost = connectedAtOnce + [connection(ms(50_000), "reconnecting")]
        #expect(judge(.liveness, lost, end: ms(79_999)).outcome == .pass)
        #expect(judge(.liveness, lost, end: ms(80_000)).outcome == .fail)
        #expect(judge(.liveness, lost + [connection(ms(70_000), "connecting")], end: ms(80_000)).outcome == .fail)
    }

    @Test("liveness: nothing is asked while something is in the way", arguments: [
        [event(ms(1000), "fault.began", key: "x")], [event(ms(1000), "server.stopped")],
        [set(ms(1000), "network.reachable", false)], [set(ms(1000), "network.captive", true)],
        [event(ms(1000), "client.suspended")], [event(ms(1000), "client.killed")],
        [event(ms(1000), "device.background").of("client")], [connection(ms(1000), "unavailable")],
        [event(ms(1000), "client.gave_up")], [event(ms(1000), "server.hold")], [event(ms(1000), "server.delay")],
    ])
    func obstacles(obstacle: [Entry]) {
        let entries = [event(ms(0), "client.started"), connection(ms(0), "connecting")] + obstacle
        #expect(judge(.liveness, entries, end: ms(90_000)).outcome != .fail)
    }

    @Test("liveness: once it is out of the way, the time begins anew", arguments: [
        [event(ms(1000), "fault.began", key: "x"), event(ms(2000), "fault.ended", key: "x")],
        [event(ms(1000), "fault.began", key: "x"), event(ms(2000), "fault.lifted", key: "x").of("client")],
        [event(ms(1000), "server.stopped"), event(ms(2000), "server.started")],
        [set(ms(1000), "network.reachable", false), set(ms(2000), "network.reachable", true)],
        [event(ms(1000), "client.suspended"), event(ms(2000), "client.woke")],
        [event(ms(2000), "server.rejected.connect")], [event(ms(2000), "server.swallowed.hello")],
        [event(ms(2000), "server.closed", ["code": 1011])], [event(ms(2000), "server.answered.ws", ["status": 503])],
        [event(ms(2000), "network.refused")],
        [event(ms(1000), "server.hold"), event(ms(2000), "server.release")],
        [connection(ms(1000), "unavailable"), connection(ms(2000), "connecting")],
    ])
    func obstaclesGone(obstacles: [Entry]) {
        let entries = [event(ms(0), "client.started"), connection(ms(0), "connecting")] + obstacles
        #expect(judge(.liveness, entries, end: ms(31_999)).outcome != .fail)
        #expect(judge(.liveness, entries, end: ms(32_000)).outcome == .fail)
    }

    @Test("liveness: ends in order win no time", arguments: [
        event(ms(2000), "server.closed", ["code": 1000]), event(ms(2000), "server.closed"),
        event(ms(2000), "network.closed"), event(ms(2000), "server.answered.ws", ["status": 101]),
    ])
    func noObstacle(entry: Entry) {
        let entries = [event(ms(0), "client.started"), connection(ms(0), "connecting"), entry]
        #expect(judge(.liveness, entries, end: ms(30_000)).outcome == .fail)
    }

    @Test("liveness: tolerance is added")
    func livenessTolerance() {
        let entries = [event(ms(0), "client.started"), connection(ms(0), "connecting")]
        let tolerance = Tolerance(fixed: .milliseconds(50))
        #expect(judge(.liveness, entries, end: ms(30_049), tolerance: tolerance).outcome == .skipped)
        #expect(judge(.liveness, entries, end: ms(30_050), tolerance: tolerance).outcome == .fail)
    }

    @Test("terminal means stop: no attempt until someone asks", arguments: [
        (nil, Outcome.fail), ("user.reconnect", .pass), ("device.foreground", .pass), ("client.woke", .pass),
        ("server.post", .fail),
    ] as [(String?, Outcome)])
    func terminal(ask: String?, outcome: Outcome) {
        for end in [connection(ms(1000), "unavailable"), event(ms(1000), "client.gave_up")] {
            var entries = [connection(ms(0), "reconnecting"), end]
            if let ask { entries.append(event(ms(2000), ask).of("client")) }
            entries.append(event(ms(2000), "client.attempt.began"))
            #expect(judge(.terminalMeansStop, entries, end: ms(9000)).outcome == outcome)
            #expect(judge(.terminalMeansStop, Array(entries.dropLast()), end: ms(9000)).outcome == .pass)
        }
    }

    @Test("terminal means stop: a network that comes back is a reason, an ask of before is none")
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

@Suite struct ProtocolInvariantTests {
    private func backoff(_ time: Instant, _ attempt: Int64, _ delay: TimeSpan) -> Entry {
        event(
            time, "client.backoff.began", ["attempt": .integer(attempt), "delay": .integer(delay.nanoseconds)]
        )
    }

    @Test("backoff: each delay lies between its bounds", arguments: [
        (1, 999, Outcome.fail), (1, 1000, .pass), (1, 1250, .pass), (1, 1251, .fail),
        (2, 1499, .fail), (2, 1500, .pass), (2, 2500, .pass), (2, 2501, .fail),
        (4, 5999, .fail), (4, 6000, .pass), (4, 10_000, .pass), (9, 10_000, .pass), (9, 10_001, .fail),
    ] as [(Int64, Int64, Outcome)])
    func envelope(attempt: Int64, delay: Int64, outcome: Outcome) {
        #expect(judge(.backoffEnvelope, [backoff(ms(0), attempt, .milliseconds(delay))], end: ms(1)).outcome == outcome)
    }

    @Test("backoff: without jitter it is exact, and the text says so")
    func exact() {
        var plain = settings
        plain.backoff = BackoffBounds(base: .seconds(1), cap: .seconds(30))
        #expect(judge(.backoffEnvelope, [backoff(ms(0), 3, .seconds(4))], end: ms(1), settings: plain).outcome == .pass)
        let verdict = judge(.backoffEnvelope, [backoff(ms(0), 3, .seconds(5))], end: ms(1), settings: plain)
        #expect(verdict.reason.text == "backoff of 5s for attempt 3 at 0.000; expected 4s")
    }

    @Test("backoff: a wait that the server asked for counts instead")
    func retryAfter() {
        let asked = event(ms(0), "client.received.draining", ["retry_after": 60_000_000_000])
        #expect(judge(.backoffEnvelope, [asked, backoff(ms(1), 1, .seconds(60))], end: ms(2)).outcome == .pass)
        #expect(judge(.backoffEnvelope, [backoff(ms(1), 1, .seconds(60))], end: ms(2)).outcome == .fail)
        let later = [asked, event(ms(1), "client.connected"), backoff(ms(2), 1, .seconds(60))]
        #expect(judge(.backoffEnvelope, later, end: ms(3)).outcome == .fail)
    }

    @Test("backoff: an attempt waits for it, unless it was cancelled or someone asked")
    func attempts() {
        let begun = backoff(ms(0), 1, .seconds(1))
        func attempt(_ time: Instant) -> Entry { event(time, "client.attempt.began") }
        #expect(judge(.backoffEnvelope, [begun, attempt(ms(1000))], end: ms(9000)).outcome == .pass)
        let verdict = judge(.backoffEnvelope, [begun, attempt(ms(999, 999_999))], end: ms(9000))
        #expect(verdict.reason.text == "client.attempt.began at 0.999, although the backoff was to last until 1.000")
        for reason in ["client.backoff.cancelled", "user.reconnect", "device.foreground"] {
            let entries = [begun, event(ms(500), reason).of("client"), attempt(ms(500))]
            #expect(judge(.backoffEnvelope, entries, end: ms(9000)).outcome == .pass)
        }
    }

    @Test("backoff: the count begins anew for a reason, and does so after a success")
    func counting() {
        let two = [backoff(ms(0), 1, .seconds(1)), backoff(ms(2000), 2, .seconds(2))]
        let verdict = judge(.backoffEnvelope, two + [backoff(ms(9000), 1, .seconds(1))], end: ms(9999))
        #expect(
            verdict.reason.text
                == "the attempts were counted anew at 9.000 (1 after 2), although nothing had succeeded and nobody asked"
        )
        for reason in ["client.connected", "user.reconnect", "client.started"] {
            let entries = two + [event(ms(8000), reason).of("client"), backoff(ms(9000), 1, .seconds(1))]
            #expect(judge(.backoffEnvelope, entries, end: ms(9999)).outcome == .pass)
        }
        let counted = two + [event(ms(8000), "client.connected"), backoff(ms(9000), 3, .seconds(4))]
        #expect(judge(.backoffEnvelope, counted, end: ms(9999)).outcome == .fail)
        var lenient = settings
        lenient.backoff?.resetsWhenConnected = false
        #expect(judge(.backoffEnvelope, counted, end: ms(9999), settings: lenient).outcome == .pass)
    }

    @Test("subscriptions: one introduction a connection, and nothing before it is accepted")
    func subscriptions() {
        #expect(judge(.subscriptionsFollowSession, connectedAtOnce, end: ms(900)).outcome == .pass)
        let early = connectedAtOnce + [event(ms(60), "client.sent.sync")]
        let verdict = judge(.subscriptionsFollowSession, early, end: ms(900))
        #expect(verdict.reason.text == "client.sent.sync at 0.060, before the connection was accepted")
        let ping = connectedAtOnce + [event(ms(60), "client.sent.ping"), event(ms(200), "client.sent.sync")]
        #expect(judge(.subscriptionsFollowSession, ping, end: ms(900)).outcome == .pass)
        let twice = connectedAtOnce + [event(ms(200), "client.sent.connect")]
        #expect(judge(.subscriptionsFollowSession, twice, end: ms(900)).outcome == .fail)
        let again = connectedAtOnce + [
            event(ms(200), "client.disconnected"), event(ms(300), "client.attempt.began"), event(ms(310), "client.sent.connect"),
        ]
        #expect(judge(.subscriptionsFollowSession, again, end: ms(900)).outcome == .pass)
    }

    @Test("old transport: nothing is received between a connection and the next attempt")
    func betweenTransports() {
        let lost = connectedAtOnce + [event(ms(200), "client.disconnected")]
        let late = lost + [event(ms(250), "client.received.message", key: "a")]
        let verdict = judge(.oldTransportDead, late, end: ms(900))
        #expect(verdict.reason.text == "client.received.message at 0.250, with no connection to receive it on")
        let next = lost + [event(ms(300), "client.attempt.began"), event(ms(350), "client.received.hello")]
        #expect(judge(.oldTransportDead, next, end: ms(900)).outcome == .pass)
    }

    @Test("old transport: on the new one, nothing but a greeting before it is accepted")
    func lateFrames() {
        let opening = connectedAtOnce + [
            event(ms(0), "server.started"), event(ms(200), "client.disconnected"), event(ms(300), "client.attempt.began"),
        ]
        let late = opening + [event(ms(350), "client.received.message", key: "a")]
        #expect(judge(.oldTransportDead, late, end: ms(900)).outcome == .fail)
        let sent = opening + [event(ms(340), "server.sent.message", key: "a")] + late.suffix(1)
        #expect(judge(.oldTransportDead, sent, end: ms(900)).outcome == .pass)
        let accepted = opening + [event(ms(330), "client.received.connected")] + late.suffix(1)
        #expect(judge(.oldTransportDead, accepted, end: ms(900)).outcome == .pass)
    }

    @Test("auth: a refused credential is not offered again by itself")
    func auth() {
        let refused = [event(ms(0), "client.sent.connect"), event(ms(10), "client.received.auth_error")]
        #expect(judge(.authBounded, refused, end: ms(900)).outcome == .pass)
        let again = refused + [event(ms(500), "client.sent.connect")]
        let verdict = judge(.authBounded, again, end: ms(900))
        #expect(verdict.reason.text == "client.sent.connect at 0.500, offer 1 of a credential that had been refused")
        let asked = refused + [event(ms(400), "user.set_key").of("client"), event(ms(500), "client.sent.connect")]
        #expect(judge(.authBounded, asked, end: ms(900)).outcome == .pass)
        var patient = settings
        patient.authRetries = 1
        #expect(judge(.authBounded, again, end: ms(900), settings: patient).outcome == .pass)
        let thrice = again + [event(ms(600), "client.received.auth_error"), event(ms(700), "client.sent.connect")]
        #expect(judge(.authBounded, thrice, end: ms(900), settings: patient).outcome == .fail)
    }

    @Test("a ping without its own pong ends the connection in time, whatever else comes in")
    func pongs() {
        func trace(_ more: Entry...) -> [Entry] {
            connectedAtOnce + [event(ms(1000), "client.sent.ping", ["id": "p1"])] + more
        }
        let message = event(ms(2000), "client.received.message")
        #expect(judge(.livenessNotFooled, trace(message), end: ms(10_999)).outcome == .pass)
        let verdict = judge(.livenessNotFooled, trace(message), end: ms(11_000))
        #expect(
            verdict.reason.text
                == "connection.state was still connected at 11.000, although the ping of 1.000 had no pong; expected another "
                + "state within 10s"
        )
        let pong = event(ms(11_000), "client.received.pong", ["id": "p1"])
        #expect(judge(.livenessNotFooled, trace(pong), end: ms(30_000)).outcome == .pass)
        let late = event(ms(11_000, 1), "client.received.pong", ["id": "p1"])
        #expect(judge(.livenessNotFooled, trace(late), end: ms(30_000)).outcome == .fail)
        let other = event(ms(5000), "client.received.pong", ["id": "p0"])
        #expect(judge(.livenessNotFooled, trace(other), end: ms(30_000)).outcome == .fail)
        let nameless = event(ms(5000), "client.received.pong", ["id": nil])
        #expect(judge(.livenessNotFooled, trace(nameless), end: ms(30_000)).outcome == .pass)
        let gone = connection(ms(11_000), "reconnecting")
        #expect(judge(.livenessNotFooled, trace(gone), end: ms(30_000)).outcome == .pass)
        let asleep = event(ms(5000), "client.suspended")
        #expect(judge(.livenessNotFooled, trace(asleep), end: ms(30_000)).outcome == .pass)
    }

    @Test("states: none twice, legal steps alone; a restart begins anew")
    func states() {
        #expect(judge(.statesWellFormed, connectedAtOnce, end: ms(900)).outcome == .pass)
        let illegal = connectedAtOnce + [connection(ms(200), "idle")]
        let verdict = judge(.statesWellFormed, illegal, end: ms(900))
        #expect(verdict.reason.text == "connection.state went from connected to idle at 0.200, which is no legal step")
        let restarted = connectedAtOnce + [event(ms(200), "client.killed"), event(ms(300), "client.started"), connection(ms(300), "idle")]
        #expect(judge(.statesWellFormed, restarted, end: ms(900)).outcome == .pass)
        var open = settings
        open.transitions = []
        #expect(judge(.statesWellFormed, illegal, end: ms(900), settings: open).outcome == .pass)
    }

    @Test("states: a lost connection is reported, in the same step at the latest")
    func loss() {
        let lost = connectedAtOnce + [connection(ms(200), "reconnecting")]
        let verdict = judge(.statesWellFormed, lost, end: ms(900))
        #expect(
            verdict.reason.text == "connection.state went from connected to reconnecting at 0.200 without client.disconnected"
        )
        for time in [ms(150), ms(200)] {
            let told = lost + [event(time, "client.disconnected")]
            #expect(judge(.statesWellFormed, told, end: ms(900)).outcome == .pass)
        }
        let late = lost + [event(ms(200, 1), "client.disconnected")]
        #expect(judge(.statesWellFormed, late, end: ms(900)).outcome == .fail)
    }
}
