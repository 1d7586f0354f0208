import SquallCore
import TemporalLogic
import Testing

@Suite struct TransitionsTests {
    private func judged(
        _ path: [JSON],
        are values: [JSON],
        exhaustive: Bool,
        _ scope: Scope = .run,
        within bound: TimeSpan? = nil,
        end: Instant = ms(5000),
        finished: Bool = true
    ) -> Verdict {
        let entries = path.enumerated().map { set(ms(Int64($0.offset) * 100), "connection.state", $0.element) }
        let formula = Formula.transitions(
            of: ObservableReference("connection.state"),
            are: values.map(ValuePredicate.equals),
            exhaustive: exhaustive
        )
        return judge(formula, scope, within: bound, entries, end: end, finished: finished)
    }

    @Test(
        "Exhaustive transitions require exactly the given values, with repeats merged",
        arguments: [
            (["idle", "connecting", "connecting", "connected"] as [JSON], Outcome.pass),
            (["idle", "connecting", "connected", "offline"], .fail),
            (["idle", "connected"], .fail), (["idle", "connecting"], .fail),
            (["connecting", "idle", "connected"], .fail),
        ]
    )
    func exhaustive(path: [JSON], outcome: Outcome) {
        #expect(judged(path, are: ["idle", "connecting", "connected"], exhaustive: true).outcome == outcome)
    }

    @Test(
        "Transitions that are not exhaustive allow other values between the given ones",
        arguments: [
            (["idle", "connecting", "offline", "connected", "offline"] as [JSON], Outcome.pass),
            (["idle", "connected", "connecting"], .fail),
        ]
    )
    func loose(path: [JSON], outcome: Outcome) {
        #expect(judged(path, are: ["idle", "connecting", "connected"], exhaustive: false).outcome == outcome)
    }

    @Test("The reason for failed 'transitions' lists the values that were shown instead")
    func text() {
        let wrong = judged(["idle", "offline"], are: ["idle", "connecting"], exhaustive: true)
        #expect(
            wrong.reason.text
                == "connection.state went idle, offline by 0.100; expected connecting as value 2 (exactly idle, connecting)"
        )
        #expect(wrong.reason.events == [0, 1])
        let short = judged(["idle"], are: ["idle", "connecting"], exhaustive: false)
        #expect(
            short.reason.text
                == "connection.state went idle by 5.000; expected connecting as value 2 before the run ended at 5.000 (among "
                + "others idle, connecting)"
        )
        let long = judged(["idle", "offline"], are: ["idle"], exhaustive: true)
        #expect(
            long.reason.text
                == "connection.state went idle, offline by 0.100; expected no further value as value 2 (exactly idle)"
        )
    }

    @Test("'transitions' counts a value that is replaced at the same instant")
    func sameInstant() {
        let formula = Formula.transitions(
            of: ObservableReference("connection.state"),
            are: [.equals("a"), .equals("b"), .equals("a")],
            exhaustive: true
        )
        let entries = ["a", "b", "a"].map { set(ms(7), "connection.state", .string($0)) }
        #expect(judge(formula, entries, end: ms(100)).outcome == .pass)
    }

    @Test("'transitions' in a scope ignores the value from before the scope")
    func scope() {
        let formula = Formula.transitions(
            of: ObservableReference("connection.state"),
            are: [.equals("offline")],
            exhaustive: true
        )
        let entries = [
            set(ms(0), "connection.state", "connected"), event(ms(50), "client.woke"),
            set(ms(100), "connection.state", "connected"), set(ms(150), "connection.state", "offline"),
        ]
        #expect(judge(formula, .after(happens("client.woke")), entries, end: ms(500)).outcome == .pass)
    }

    @Test("'transitions' with a bound judges only the values up to the bound")
    func bound() {
        let values: [JSON] = ["idle", "connecting"]
        #expect(
            judged(["idle", "connecting", "offline"], are: values, exhaustive: true, within: .milliseconds(199)).outcome
                == .pass
        )
        #expect(
            judged(["idle", "connecting", "offline"], are: values, exhaustive: true, within: .milliseconds(200)).outcome
                == .fail
        )
    }

    @Test("'transitions' is inconclusive without values, and if exhaustive also with an unfinished script")
    func open() {
        #expect(judged([], are: ["idle"], exhaustive: true).outcome == .inconclusive)
        #expect(judged(["idle"], are: ["idle"], exhaustive: true, finished: false).outcome == .inconclusive)
        #expect(judged(["idle"], are: ["idle"], exhaustive: false, finished: false).outcome == .pass)
    }
}
