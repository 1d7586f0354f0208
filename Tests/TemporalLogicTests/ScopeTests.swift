import SquallCore
import TemporalLogic
import Testing

@Suite struct ScopeTests {
    private let ping = Formula.never(happens("client.sent.ping"))
    private let pinged = Formula.eventually(happens("client.sent.ping"))

    @Test("scope 'after': the scope opens at the first occurrence of its event")
    func after() {
        let entries = [
            event(ms(100), "client.connected"), event(ms(150), "client.sent.ping"), event(ms(200), "client.connected"),
        ]
        #expect(judge(ping, .after(happens("client.connected")), entries, end: ms(500)).outcome == .fail)
        #expect(judge(ping, .after(happens("client.connected", ordinal: 2)), entries, end: ms(500)).outcome == .pass)
    }

    @Test("scope 'before': the verdict is open until the closing event, and inconclusive without it")
    func before() {
        let scope = Scope.before(happens("client.connected"))
        let early = [event(ms(50), "client.sent.ping")]
        let verdict = judge(ping, scope, early, end: ms(500))
        #expect(verdict.outcome == .inconclusive)
        #expect(verdict.reason.text == "client.connected never happened, so there was nothing before it to judge")
        let both = early + [event(ms(100), "client.connected")]
        #expect(judge(ping, scope, both, end: ms(500)).outcome == .fail)
        #expect(judge(pinged, scope, within: .seconds(1), both, end: ms(500)).outcome == .pass)
        let late = [event(ms(100), "client.connected"), event(ms(150), "client.sent.ping")]
        #expect(judge(ping, scope, late, end: ms(500)).outcome == .pass)
        #expect(judge(pinged, scope, within: .seconds(1), late, end: ms(500)).outcome == .fail)
    }

    @Test("scope 'before': a missed bound fails only once the closing event has occurred")
    func beforeWithBound() {
        let scope = Scope.before(happens("client.connected"))
        let entries = [event(ms(200), "client.sent.ping"), event(ms(300), "client.connected")]
        #expect(judge(pinged, scope, within: .milliseconds(199), entries, end: ms(500)).outcome == .fail)
        #expect(judge(pinged, scope, within: .milliseconds(200), entries, end: ms(500)).outcome == .pass)
    }

    @Test("scope 'between': every interval is judged, and an interval that is still open lasts to the end of the run")
    func between() {
        let scope = Scope.between(happens("client.suspended"), happens("client.woke"))
        let good = [
            event(ms(100), "client.suspended"), event(ms(200), "client.woke"), event(ms(250), "client.sent.ping"),
            event(ms(300), "client.suspended"), event(ms(400), "client.woke"), event(ms(450), "client.sent.ping"),
        ]
        #expect(judge(ping, scope, good, end: ms(900)).outcome == .pass)
        let open = good + [event(ms(500), "client.suspended")]
        #expect(judge(ping, scope, open, end: ms(900)).outcome == .pass)
        #expect(judge(ping, scope, open + [event(ms(501), "client.sent.ping")], end: ms(900)).outcome == .fail)
    }

    @Test("scope 'between': another opening event inside an interval has no effect")
    func nested() {
        let scope = Scope.between(happens("client.suspended"), happens("client.woke"))
        let entries = [
            event(ms(100), "client.suspended"), event(ms(150), "client.sent.ping"), event(ms(180), "client.suspended"),
            event(ms(200), "client.woke"),
        ]
        // A second event that opens the scope has no effect while the scope is open. If the bound were measured from
        // it, the ping would be too early.
        #expect(judge(pinged, scope, within: .milliseconds(60), entries, end: ms(900)).outcome == .pass)
    }

    @Test("scope 'between': 'eventually' requires the event in every interval")
    func eachTime() {
        let scope = Scope.between(happens("client.suspended"), happens("client.woke"))
        let once = [
            event(ms(100), "client.suspended"), event(ms(150), "client.sent.ping"), event(ms(200), "client.woke"),
            event(ms(300), "client.suspended"), event(ms(400), "client.woke"),
        ]
        let verdict = judge(pinged, scope, within: .seconds(1), once, end: ms(5000))
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.reason.text
                == "client.sent.ping did not happen from 0.300 to 0.400 (last at 0.150); expected before the scope closed at "
                + "0.400"
        )
    }

    @Test("scope 'during': the scope is open while the fault with the given label is active")
    func during() {
        let entries = [
            event(ms(100), "fault.began", key: "other"), event(ms(150), "client.sent.ping"),
            event(ms(200), "fault.began", key: "tunnel"), event(ms(300), "fault.ended", key: "tunnel"),
            event(ms(350), "client.sent.ping"),
        ]
        #expect(judge(ping, .during(fault: "tunnel"), entries, end: ms(900)).outcome == .pass)
        let inside = entries.prefix(3) + [event(ms(250), "client.sent.ping")] + entries.suffix(2)
        #expect(judge(ping, .during(fault: "tunnel"), Array(inside), end: ms(900)).outcome == .fail)
        #expect(judge(ping, .during(fault: "missing"), entries, end: ms(900)).outcome == .inconclusive)
    }

    @Test("scope 'at end': only the last instant of the run is judged")
    func atEnd() {
        let entries = [set(ms(0), "connection.state", "offline"), set(ms(900), "connection.state", "connected")]
        #expect(judge(.eventually(connected), .atEnd, entries, end: ms(900)).outcome == .pass)
        #expect(judge(.eventually(offline), .atEnd, entries, end: ms(900)).outcome == .fail)
        #expect(judge(.never(offline), .atEnd, entries, end: ms(900)).outcome == .pass)
        #expect(judge(.never(connected), .atEnd, entries, end: ms(900)).outcome == .fail)
        let always = Formula.always(state("connection.state", "connected"))
        #expect(judge(always, .atEnd, entries, end: ms(900)).outcome == .pass)
        #expect(judge(always, .atEnd, [], end: ms(900)).outcome == .inconclusive)
        #expect(judge(.eventually(connected), .atEnd, entries, end: ms(900), finished: false).outcome == .inconclusive)
    }

    @Test("An offset shifts both ends of a scope, and events at either end are inside the scope")
    func offsets() {
        let scope = Scope.between(
            happens("client.connected", offset: .milliseconds(100)),
            happens("client.disconnected", offset: .milliseconds(50))
        )
        for (time, outcome) in [
            (ms(199, 999_999), Outcome.pass), (ms(200), .fail), (ms(250), .fail), (ms(350), .fail), (ms(350, 1), .pass),
        ] {
            let entries = [
                event(ms(100), "client.connected"), event(ms(300), "client.disconnected"),
                event(time, "client.sent.ping"),
            ].sorted { $0.time < $1.time }
            #expect(judge(ping, scope, entries, end: ms(900)).outcome == outcome, "\(time.nanoseconds)")
        }
    }

    @Test("An offset delays the trigger of leads_to, and the bound counts from the delayed trigger")
    func offsetTrigger() {
        let formula = Formula.leadsTo(
            when: happens("client.connected", offset: .milliseconds(100)),
            then: happens("client.sent.ping")
        )
        for (time, outcome) in [
            (ms(150), Outcome.fail), (ms(200), .pass), (ms(250), .pass), (ms(250, 1), .fail),
        ] {
            let entries = [event(ms(100), "client.connected"), event(time, "client.sent.ping")]
            let verdict = judge(formula, within: .milliseconds(50), entries, end: ms(900))
            #expect(verdict.outcome == outcome, "\(time.nanoseconds)")
        }
        let verdict = judge(formula, within: .milliseconds(50), [event(ms(100), "client.connected")], end: ms(900))
        #expect(
            verdict.reason.text
                == "client.sent.ping did not happen from 0.200 to 0.250; expected within 50ms of client.connected + 100ms at "
                + "0.200"
        )
    }
}
