import SquallCore
import TemporalLogic
import Testing

@Suite struct ProtocolInvariantTests {
    private func backoff(_ time: Instant, _ attempt: Int64, _ delay: TimeSpan) -> Entry {
        event(
            time,
            "client.backoff.began",
            ["attempt": .integer(attempt), "delay": .integer(delay.nanoseconds)]
        )
    }

    @Test(
        "backoff_envelope: a delay outside its lower and upper limit is a violation",
        arguments: [
            (1, 999, Outcome.fail), (1, 1000, .pass), (1, 1250, .pass), (1, 1251, .fail),
            (2, 1499, .fail), (2, 1500, .pass), (2, 2500, .pass), (2, 2501, .fail),
            (4, 5999, .fail), (4, 6000, .pass), (4, 10_000, .pass), (9, 10_000, .pass), (9, 10_001, .fail),
        ] as [(Int64, Int64, Outcome)]
    )
    func envelope(attempt: Int64, delay: Int64, outcome: Outcome) {
        #expect(judge(.backoffEnvelope, [backoff(ms(0), attempt, .milliseconds(delay))], end: ms(1)).outcome == outcome)
    }

    @Test("backoff_envelope: every attempt number is accepted without overflow", arguments: [Int64.min, -1, 0, .max])
    func anyNumber(attempt: Int64) {
        var still = everything
        still.backoff = BackoffBounds(base: .zero, cap: .seconds(8))
        for settings in [everything, still] {
            let entries = [backoff(ms(0), attempt, .seconds(1))]
            #expect(judge(.backoffEnvelope, entries, end: ms(1), settings: settings).outcome != .skipped)
        }
    }

    @Test("backoff_envelope: without jitter the delay must be exact, and the reason says so")
    func exact() {
        var plain = everything
        plain.backoff = BackoffBounds(base: .seconds(1), cap: .seconds(30))
        #expect(judge(.backoffEnvelope, [backoff(ms(0), 3, .seconds(4))], end: ms(1), settings: plain).outcome == .pass)
        let verdict = judge(.backoffEnvelope, [backoff(ms(0), 3, .seconds(5))], end: ms(1), settings: plain)
        #expect(verdict.reason.text == "backoff of 5s for attempt 3 at 0.000; expected 4s")
    }

    @Test("backoff_envelope: a retry time requested by the server replaces the delay")
    func retryAfter() {
        let asked = event(ms(0), "client.received.draining", ["retry_after": 60_000_000_000])
        #expect(judge(.backoffEnvelope, [asked, backoff(ms(1), 1, .seconds(60))], end: ms(2)).outcome == .pass)
        #expect(judge(.backoffEnvelope, [backoff(ms(1), 1, .seconds(60))], end: ms(2)).outcome == .fail)
        let later = [asked, event(ms(1), "client.connected"), backoff(ms(2), 1, .seconds(60))]
        #expect(judge(.backoffEnvelope, later, end: ms(3)).outcome == .fail)
    }

    @Test("backoff_envelope: an attempt before the end of its delay is a violation unless the user asked for it")
    func attempts() {
        let begun = backoff(ms(0), 1, .seconds(1))
        func attempt(_ time: Instant) -> Entry { event(time, "client.attempt.began") }
        #expect(judge(.backoffEnvelope, [begun, attempt(ms(1000))], end: ms(9000)).outcome == .pass)
        let verdict = judge(.backoffEnvelope, [begun, attempt(ms(999, 999_999))], end: ms(9000))
        #expect(verdict.reason.text == "client.attempt.began at 0.999, although the backoff lasts until 1.000")
        for reason in ["client.backoff.cancelled", "user.reconnect", "device.foreground"] {
            let entries = [begun, event(ms(500), reason).of("client"), attempt(ms(500))]
            #expect(judge(.backoffEnvelope, entries, end: ms(9000)).outcome == .pass)
        }
    }

    @Test("backoff_envelope: only a successful connection, a restart or the user may restart the attempt count")
    func counting() {
        let two = [backoff(ms(0), 1, .seconds(1)), backoff(ms(2000), 2, .seconds(2))]
        let verdict = judge(.backoffEnvelope, two + [backoff(ms(9000), 1, .seconds(1))], end: ms(9999))
        #expect(
            verdict.reason.text
                == "the attempt count restarted at 9.000 (1 after 2) without a successful attempt or a request"
        )
        for reason in ["client.connected", "user.reconnect", "client.started"] {
            let entries = two + [event(ms(8000), reason).of("client"), backoff(ms(9000), 1, .seconds(1))]
            #expect(judge(.backoffEnvelope, entries, end: ms(9999)).outcome == .pass)
        }
        let counted = two + [event(ms(8000), "client.connected"), backoff(ms(9000), 3, .seconds(4))]
        #expect(judge(.backoffEnvelope, counted, end: ms(9999)).outcome == .fail)
        var lenient = everything
        lenient.backoff?.resetsWhenConnected = false
        #expect(judge(.backoffEnvelope, counted, end: ms(9999), settings: lenient).outcome == .pass)
    }

    @Test(
        "subscriptions_follow_session: each connection sends one connect frame and no other frame before it is accepted"
    )
    func subscriptions() {
        #expect(judge(.subscriptionsFollowSession, connectedAtOnce, end: ms(900)).outcome == .pass)
        let early = connectedAtOnce + [event(ms(60), "client.sent.sync")]
        let verdict = judge(.subscriptionsFollowSession, early, end: ms(900))
        #expect(verdict.reason.text == "client.sent.sync at 0.060, before the connection was accepted")
        let ping = connectedAtOnce + [event(ms(60), "client.sent.ping"), event(ms(200), "client.sent.sync")]
        #expect(judge(.subscriptionsFollowSession, ping, end: ms(900)).outcome == .pass)
        let twice = connectedAtOnce + [event(ms(200), "client.sent.connect")]
        #expect(judge(.subscriptionsFollowSession, twice, end: ms(900)).outcome == .fail)
        let again =
            connectedAtOnce + [
                event(ms(200), "client.disconnected"), event(ms(300), "client.attempt.began"),
                event(ms(310), "client.sent.connect"),
            ]
        #expect(judge(.subscriptionsFollowSession, again, end: ms(900)).outcome == .pass)
    }

    @Test("old_transport_dead: a frame received between a disconnect and the next attempt is a violation")
    func betweenTransports() {
        let lost = connectedAtOnce + [event(ms(200), "client.disconnected")]
        let late = lost + [event(ms(250), "client.received.message", key: "a")]
        let verdict = judge(.oldTransportDead, late, end: ms(900))
        #expect(verdict.reason.text == "client.received.message at 0.250 without a connection")
        let next = lost + [event(ms(300), "client.attempt.began"), event(ms(350), "client.received.hello")]
        #expect(judge(.oldTransportDead, next, end: ms(900)).outcome == .pass)
    }

    @Test("old_transport_dead: a new connection receives only a hello before it is accepted")
    func lateFrames() {
        let opening =
            connectedAtOnce + [
                event(ms(0), "server.started"), event(ms(150), "server.sent.message", key: "a"),
                event(ms(200), "client.disconnected"),
                event(ms(300), "client.attempt.began"),
            ]
        let late = opening + [event(ms(350), "client.received.message", key: "a")]
        #expect(judge(.oldTransportDead, late, end: ms(900)).outcome == .fail)
        let sent = opening + [event(ms(340), "server.sent.message", key: "a")] + late.suffix(1)
        #expect(judge(.oldTransportDead, sent, end: ms(900)).outcome == .pass)
        let accepted = opening + [event(ms(330), "client.received.connected")] + late.suffix(1)
        #expect(judge(.oldTransportDead, accepted, end: ms(900)).outcome == .pass)
    }

    @Test("auth_bounded: offering a refused key again without a user action is a violation")
    func auth() {
        let refused = [event(ms(0), "client.sent.connect"), event(ms(10), "client.received.auth_error")]
        #expect(judge(.authBounded, refused, end: ms(900)).outcome == .pass)
        let again = refused + [event(ms(500), "client.sent.connect")]
        let verdict = judge(.authBounded, again, end: ms(900))
        #expect(
            verdict.reason.text == "the client sent a rejected credential again at 0.500, attempt 1 since the rejection"
        )
        let asked = refused + [event(ms(400), "user.set_key").of("client"), event(ms(500), "client.sent.connect")]
        #expect(judge(.authBounded, asked, end: ms(900)).outcome == .pass)
        var patient = everything
        patient.authRetries = 1
        #expect(judge(.authBounded, again, end: ms(900), settings: patient).outcome == .pass)
        let thrice = again + [event(ms(600), "client.received.auth_error"), event(ms(700), "client.sent.connect")]
        #expect(judge(.authBounded, thrice, end: ms(900), settings: patient).outcome == .fail)
    }

    @Test("A client that starts after the user has removed its key may ask for a new key")
    func removedKey() {
        let removed = connectedAtOnce + [event(ms(300), "user.set_key").of("client")]
        let asks = [
            event(ms(500), "client.started"),
            set(ms(500), "auth.requires_reauth", true),
        ]
        #expect(judge(.authBounded, removed + asks, end: ms(900)).outcome != .fail)
        #expect(judge(.authBounded, connectedAtOnce + asks, end: ms(900)).outcome == .fail)
        let accepted = event(ms(400), "client.received.connected")
        #expect(judge(.authBounded, removed + [accepted] + asks, end: ms(900)).outcome == .fail)
    }

    @Test("Retrying an upgrade that was refused with 401 without a user request is a violation")
    func refusedUpgrade() {
        let failure = Observation.happened("client.attempt.failed", ["failure": "http_401"], by: .reported)
        let refused = connectedAtOnce + [Entry(time: ms(300), client: .only, observation: failure)]
        #expect(judge(.authBounded, refused, end: ms(900)).outcome == .pass)
        let again = event(ms(500), "client.attempt.began", ["number": 2])
        #expect(judge(.authBounded, refused + [again], end: ms(900)).outcome == .fail)
        let asked = refused + [event(ms(400), "user.set_key").of("client"), again]
        #expect(judge(.authBounded, asked, end: ms(900)).outcome == .pass)
    }

    @Test("Without a matching pong a connection must end within the time limit, whatever other frames arrive")
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

    @Test("states_well_formed: an illegal or repeated state is a violation, and a restart begins a new sequence")
    func states() {
        #expect(judge(.statesWellFormed, connectedAtOnce, end: ms(900)).outcome == .pass)
        let illegal = connectedAtOnce + [connection(ms(200), "idle")]
        let verdict = judge(.statesWellFormed, illegal, end: ms(900))
        #expect(
            verdict.reason.text
                == "connection.state went from connected to idle at 0.200, which is not a legal transition"
        )
        let restarted =
            connectedAtOnce + [
                event(ms(200), "client.killed"), event(ms(300), "client.started"), connection(ms(300), "idle"),
            ]
        #expect(judge(.statesWellFormed, restarted, end: ms(900)).outcome == .pass)
        var open = everything
        open.transitions = []
        #expect(judge(.statesWellFormed, illegal, end: ms(900), settings: open).outcome == .pass)
    }

    @Test("states_well_formed: a lost connection must be reported at the latest in the same step as the new state")
    func loss() {
        let lost = connectedAtOnce + [connection(ms(200), "reconnecting")]
        let verdict = judge(.statesWellFormed, lost, end: ms(900))
        #expect(
            verdict.reason.text
                == "connection.state went from connected to reconnecting at 0.200 without client.disconnected"
        )
        for time in [ms(150), ms(200)] {
            let told = lost + [event(time, "client.disconnected")]
            #expect(judge(.statesWellFormed, told, end: ms(900)).outcome == .pass)
        }
        let late = lost + [event(ms(200, 1), "client.disconnected")]
        #expect(judge(.statesWellFormed, late, end: ms(900)).outcome == .fail)
    }
}
