import SquallCore
import TemporalLogic
import Testing
import Trace

/// Tests bounds that passed before the script had created the subject of the expectation.
@Suite struct TooEarlyTests {
    private func sent(_ time: Instant, _ key: String = "hi") -> Entry {
        Entry(time: time, client: .only, observation: .happened("user.send", key: key, by: .injected))
    }

    private let delivered = Formula.eventually(level("message.status", "delivered", key: .one("hi")))

    private func judged(_ formula: Formula, in scope: Scope = .run, _ entries: [Entry]) -> Verdict {
        judge(formula, scope, within: .seconds(10), entries, end: ms(90_000))
    }

    @Test("A bound that ended before its message existed is inconclusive, and the reason gives a hint")
    func notYetThere() {
        let verdict = judged(delivered, [sent(ms(60_001)), set(ms(60_100), "message.status", "delivered", key: "hi")])
        #expect(verdict.outcome == .inconclusive)
        #expect(
            verdict.reason.text == """
                the bound of 10s from the start of the run ended at 10.000, before user.send[hi] at 60.001; \
                add 'after: user.send[hi]'
                """
        )
        #expect(verdict.reason.events == [0])
    }

    @Test(
        "A bound fails if its message existed within the bound, even for only a nanosecond",
        arguments: [(ms(10_000), Outcome.fail), (ms(10_000, 1), .inconclusive)]
    )
    func border(time: Instant, outcome: Outcome) {
        #expect(judged(delivered, [sent(time)]).outcome == outcome)
    }

    @Test("A message that never existed, came from the client or has another label does not excuse a missed bound")
    func noExcuse() {
        #expect(judged(delivered, []).outcome == .fail)
        #expect(judged(delivered, [sent(ms(60_001), "ho")]).outcome == .fail)
        let shown = set(ms(9_000), "message.status", "sending", key: "hi")
        #expect(judged(delivered, [shown, sent(ms(60_001))]).outcome == .fail)
        let reported = event(ms(60_001), "client.accepted", key: "hi")
        #expect(judged(delivered, [reported, sent(ms(60_002))]).outcome == .fail)
    }

    @Test("The hint about a late message is given for every operator whose bound starts at a scope or a trigger")
    func words() {
        let entries = [event(ms(5), "client.connected"), sent(ms(60_001))]
        let stored = happens("server.stored", key: "hi")
        let after = judged(.eventually(stored), in: .after(happens("client.connected")), entries)
        #expect(after.reason.text.hasPrefix("the bound of 10s from client.connected ended at 10.005, before"))
        let answer = judged(.leadsTo(when: happens("client.connected"), then: stored), entries)
        #expect(answer.reason.text.hasPrefix("the bound of 10s from client.connected ended at 10.005, before"))
        let order = judged(.inOrder([happens("client.connected"), stored], strict: false), entries)
        #expect(order.outcome == .inconclusive)
        // The end of the scope is not a time bound, so the verdict remains a failure.
        let closed = entries + [event(ms(70_000), "client.woke")]
        #expect(judged(.eventually(stored), in: .before(happens("client.woke")), closed).outcome == .fail)
    }
}
