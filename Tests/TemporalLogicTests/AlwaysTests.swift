import SquallCore
import TemporalLogic
import Testing

@Suite struct AlwaysTests {
    private let formula = Formula.always(state("connection.state", "connected"))

    @Test(
        "'always' requires the state up to and including the bound, and not a nanosecond later",
        arguments: [
            (ms(1500), Outcome.fail), (ms(1500, 1), .pass),
        ]
    )
    func bound(lost: Instant, outcome: Outcome) {
        let entries = [
            set(ms(0), "connection.state", "connected"), event(ms(1000), "client.woke"),
            set(lost, "connection.state", "reconnecting"),
        ]
        let verdict = judge(formula, .after(happens("client.woke")), within: .milliseconds(500), entries, end: ms(3000))
        #expect(verdict.outcome == outcome)
    }

    @Test("The reason for a failure of 'always' states since when the value differed")
    func text() {
        let entries = [
            set(ms(0), "connection.state", "connected"), set(ms(700), "connection.state", "offline"),
            set(ms(800), "connection.state", "connected"),
        ]
        let verdict = judge(formula, entries, end: ms(3000))
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.reason.text
                == "connection.state was offline at 0.700; expected connected throughout, from the start of the run"
        )
        #expect(verdict.reason.events == [1])
    }

    @Test("'always' ignores a value that is replaced at the same instant")
    func transient() {
        let entries = [
            set(ms(0), "connection.state", "connected"), set(ms(700), "connection.state", "offline"),
            set(ms(700), "connection.state", "connected"),
        ]
        #expect(judge(formula, entries, end: ms(3000)).outcome == .pass)
    }

    @Test("'always' judges an observable from its first value and is inconclusive if there is none")
    func unreported() {
        #expect(judge(formula, [set(ms(700), "connection.state", "connected")], end: ms(3000)).outcome == .pass)
        let verdict = judge(formula, [], end: ms(3000))
        #expect(verdict.outcome == .inconclusive)
        #expect(verdict.reason.text == "connection.state connected: never reported")
    }

    @Test("An observable that was never reported does not prove that its value is null")
    func unreportedNull() {
        let empty = Formula.always(
            StateCondition([ObservablePredicate(ObservableReference("toast.text"), .set(false))])
        )
        #expect(judge(empty, [], end: ms(3000)).outcome == .inconclusive)
        #expect(judge(empty, [set(ms(5), "toast.text", nil)], end: ms(3000)).outcome == .pass)
        #expect(judge(empty, [set(ms(5), "toast.text", "x")], end: ms(3000)).outcome == .fail)
    }

    @Test("'always' is inconclusive instead of passing if the script did not finish, but can still fail")
    func unfinished() {
        let good = [set(ms(0), "connection.state", "connected")]
        #expect(judge(formula, good, end: ms(3000), finished: false).outcome == .inconclusive)
        #expect(judge(formula, good, end: ms(3000)).outcome == .pass)
        let bad = good + [set(ms(9), "connection.state", "offline")]
        #expect(judge(formula, bad, end: ms(3000), finished: false).outcome == .fail)
    }

    @Test("'always' is inconclusive if the run ends before the bound")
    func cut() {
        let good = [set(ms(0), "connection.state", "connected")]
        #expect(judge(formula, within: .milliseconds(500), good, end: ms(499)).outcome == .inconclusive)
        #expect(judge(formula, within: .milliseconds(500), good, end: ms(500)).outcome == .pass)
    }

    @Test("'always' is judged from the opening of its scope until just before the closing")
    func betweenScope() {
        let scope = Scope.between(happens("client.connected"), happens("client.disconnected"))
        func entries(_ change: Instant) -> [Entry] {
            let fixed = [
                set(ms(0), "connection.state", "offline"), event(ms(100), "client.connected"),
                set(ms(100), "connection.state", "connected"),
            ]
            let end = [set(change, "connection.state", "offline"), event(ms(200), "client.disconnected")]
            return fixed + end
        }
        // The state may change at the instant at which the scope closes, even if the change is reported before the
        // closing event.
        #expect(judge(formula, scope, entries(ms(200)), end: ms(300)).outcome == .pass)
        #expect(judge(formula, scope, entries(ms(199)), end: ms(300)).outcome == .fail)
    }

    @Test("A tolerance shortens the time for which 'always' requires the state")
    func tolerance() {
        let entries = [
            set(ms(0), "connection.state", "connected"), set(ms(480, 1), "connection.state", "offline"),
        ]
        let tolerance = Tolerance(fixed: .milliseconds(20))
        #expect(
            judge(formula, within: .milliseconds(500), entries, end: ms(999), tolerance: tolerance).outcome == .pass
        )
        #expect(judge(formula, within: .milliseconds(500), entries, end: ms(999)).outcome == .fail)
    }

    @Test("'always' fails if one of several states is wrong and cannot pass while a state has no value")
    func oneOfSeveral() {
        let both = Formula.always(
            StateCondition([
                ObservablePredicate(ObservableReference("connection.state"), .equals("connected")),
                ObservablePredicate(ObservableReference("unread", key: .one("lobby")), .equals(5)),
            ])
        )
        let verdict = judge(both, [set(ms(9), "connection.state", "offline")], end: ms(3000))
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.reason.text
                == "connection.state was offline at 0.009; expected connected throughout, from the start of the run; "
                + "with 'after: EVENT' it begins later"
        )
        let right = [set(ms(9), "connection.state", "connected")]
        #expect(judge(both, right, end: ms(3000)).outcome == .inconclusive)
        #expect(judge(both, right + [set(ms(10), "unread", 5, key: "lobby")], end: ms(3000)).outcome == .pass)
    }
}
