import SquallCore
import TemporalLogic
import Testing

@Suite struct NeverTests {
    @Test(
        "'never' fails for an event anywhere in the scope",
        arguments: [
            (ms(99), Outcome.pass), (ms(100, 1), .fail), (ms(199), .fail), (ms(200, 1), .pass),
        ]
    )
    func eventInScope(time: Instant, outcome: Outcome) {
        let entries = [
            event(ms(100), "client.suspended"), event(ms(200), "client.woke"), event(time, "client.sent.ping"),
        ].sorted { $0.time < $1.time }
        let scope = Scope.between(happens("client.suspended"), happens("client.woke"))
        #expect(judge(.never(happens("client.sent")), scope, entries, end: ms(300)).outcome == outcome)
    }

    @Test("At the instant of a scope's border, events before the opening or after the closing are outside")
    func order() {
        let scope = Scope.between(happens("client.suspended"), happens("client.woke"))
        let formula = Formula.never(happens("client.sent.ping"))
        let ping = event(ms(100), "client.sent.ping")
        let opener = event(ms(100), "client.suspended")
        let closer = event(ms(100), "client.woke")
        #expect(judge(formula, scope, [ping, opener, closer], end: ms(300)).outcome == .pass)
        #expect(judge(formula, scope, [opener, ping, closer], end: ms(300)).outcome == .fail)
        #expect(judge(formula, scope, [opener, closer, ping], end: ms(300)).outcome == .pass)
    }

    @Test("'never' fails for a forbidden state, and the reason names the state")
    func state() {
        let entries = [set(ms(0), "connection.state", "connected"), set(ms(1500), "connection.state", "offline")]
        let verdict = judge(.never(offline), entries, end: ms(3000))
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.reason.text == "connection.state was offline at 1.500; expected never, from the start of the run"
        )
        #expect(verdict.reason.events == [1])
    }

    @Test("'never' passes for a state of an observable that was never reported")
    func unreported() {
        #expect(judge(.never(offline), [], end: ms(3000)).outcome == .pass)
    }

    @Test("'never' is inconclusive instead of passing if the script did not finish, but can still fail")
    func unfinished() {
        #expect(judge(.never(offline), [], end: ms(3000), finished: false).outcome == .inconclusive)
        let bad = [set(ms(9), "connection.state", "offline")]
        #expect(judge(.never(offline), bad, end: ms(3000), finished: false).outcome == .fail)
    }

    @Test(
        "'never' with a bound forbids an event up to the bound and allows it a nanosecond later",
        arguments: [(ms(500), Outcome.fail), (ms(500, 1), .pass)]
    )
    func bound(time: Instant, outcome: Outcome) {
        let entries = [event(time, "client.attempt.began")]
        let verdict = judge(.never(happens("client.attempt.began")), within: .milliseconds(500), entries, end: ms(900))
        #expect(verdict.outcome == outcome)
    }

    @Test("'never' is inconclusive if its scope never opens")
    func vacuous() {
        let verdict = judge(.never(offline), .during(fault: "tunnel"), [], end: ms(3000))
        #expect(verdict.outcome == .inconclusive)
        #expect(verdict.reason.text == "the fault tunnel never began")
    }

    @Test("The event that opens a scope is outside the scope, even if it has a condition on the state")
    func opener() {
        let condition = Condition(
            event: EventPattern("client.woke"),
            state: StateCondition([ObservablePredicate(ObservableReference("connection.state"), .equals("offline"))])
        )
        let entries = [set(ms(0), "connection.state", "offline"), event(ms(100), "client.woke")]
        let scope = Scope.after(happens("client.woke"))
        #expect(judge(.never(condition), scope, entries, end: ms(300)).outcome == .pass)
        let again = entries + [event(ms(100), "client.woke")]
        #expect(judge(.never(condition), scope, again, end: ms(300)).outcome == .fail)
    }

    @Test("An event with a condition on the state counts only if the state holds at the end of the instant")
    func mixed() {
        let condition = Condition(
            event: EventPattern("client.sent.ping"),
            state: StateCondition([ObservablePredicate(ObservableReference("connection.state"), .equals("offline"))])
        )
        let ping = event(ms(100), "client.sent.ping")
        let goes = set(ms(100), "connection.state", "offline")
        #expect(judge(.never(condition), [ping], end: ms(300)).outcome == .pass)
        #expect(judge(.never(condition), [ping, goes], end: ms(300)).outcome == .fail)
        #expect(judge(.never(condition), [goes, ping], end: ms(300)).outcome == .fail)
        let later = set(ms(101), "connection.state", "offline")
        #expect(judge(.never(condition), [ping, later], end: ms(300)).outcome == .pass)
        let verdict = judge(.never(condition), [goes, ping], end: ms(300))
        #expect(
            verdict.reason.text
                == "client.sent.ping while connection.state offline happened at 0.100; expected never, from the start of the "
                + "run"
        )
    }
}
