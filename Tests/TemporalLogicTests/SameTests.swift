import SquallCore
import TemporalLogic
import Testing

@Suite struct SameTests {
    private let formula = Formula.same(
        ObservableReference("view.rows", of: .one(ClientID("anna"))),
        ObservableReference("view.rows", of: .one(ClientID("ben")))
    )

    private func entries(_ differ: Instant, _ again: Instant) -> [Entry] {
        [
            set(ms(0), "view.rows", ["a"]).of("anna"), set(ms(0), "view.rows", ["a"]).of("ben"),
            change(differ, "view.rows", .inserted(at: 1, "b")).of("anna"),
            change(again, "view.rows", .inserted(at: 1, "b")).of("ben"),
        ]
    }

    @Test("'same' compares two observables at the end of every instant")
    func throughout() {
        #expect(judge(formula, entries(ms(100), ms(100)), end: ms(500)).outcome == .pass)
        let verdict = judge(formula, entries(ms(100), ms(100, 1)), end: ms(500))
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.reason.text
                == "anna.view.rows was [a, b] and ben.view.rows [a] at 0.100; expected the same throughout, from the start of "
                + "the run"
        )
    }

    @Test(
        "'same' with a bound allows the observables to differ for that long",
        arguments: [(ms(300), Outcome.pass), (ms(300, 1), .fail)]
    )
    func bound(again: Instant, outcome: Outcome) {
        let verdict = judge(formula, within: .milliseconds(200), entries(ms(100), again), end: ms(900))
        #expect(verdict.outcome == outcome)
        if outcome == .fail {
            #expect(verdict.reason.text.hasSuffix("from 0.100 to 0.300; expected the same again within 200ms"))
        }
    }

    @Test("'same' is inconclusive if the run ends while the observables differ within the bound")
    func cut() {
        let open = Array(entries(ms(100), ms(100)).dropLast())
        #expect(judge(formula, within: .milliseconds(200), open, end: ms(250)).outcome == .inconclusive)
        #expect(judge(formula, within: .milliseconds(200), open, end: ms(300)).outcome == .fail)
    }

    @Test("'same' at the end ignores earlier differences")
    func atEnd() {
        #expect(
            judge(formula, .atEnd, within: .milliseconds(1), entries(ms(100), ms(400)), end: ms(900)).outcome == .pass
        )
        let open = Array(entries(ms(100), ms(100)).dropLast())
        #expect(judge(formula, .atEnd, open, end: ms(900)).outcome == .fail)
        #expect(
            judge(formula, .atEnd, entries(ms(100), ms(400)), end: ms(900), finished: false).outcome == .inconclusive
        )
    }

    @Test("'same' is inconclusive if one observable was never reported")
    func unreported() {
        let verdict = judge(formula, [set(ms(0), "view.rows", ["a"]).of("anna")], end: ms(500))
        #expect(verdict.outcome == .inconclusive)
        #expect(verdict.reason.text == "ben.view.rows was never reported")
    }
}
