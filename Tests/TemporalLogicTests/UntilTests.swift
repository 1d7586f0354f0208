import SquallCore
import TemporalLogic
import Testing

@Suite struct UntilTests {
    private let formula = Formula.until(state("banner.kind", "reconnecting"), happens("client.connected"))

    private func judged(banner: Instant, connected: Instant?, end: Instant = ms(2000)) -> Verdict {
        var entries = [set(ms(0), "banner.kind", "reconnecting"), set(banner, "banner.kind", nil)]
        if let connected { entries.append(event(connected, "client.connected")) }
        return judge(formula, within: .seconds(1), entries.sorted { $0.time < $1.time }, end: end)
    }

    @Test("'until' requires the state up to the release, and the state may end at the same instant as the release")
    func holds() {
        #expect(judged(banner: ms(500), connected: ms(500)).outcome == .pass)
        #expect(judged(banner: ms(500), connected: ms(400)).outcome == .pass)
    }

    @Test("'until' fails if the state ends even a nanosecond before the release")
    func lapses() {
        let verdict = judged(banner: ms(499, 999_999), connected: ms(500))
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.reason.text
                == "banner.kind was null at 0.499, before client.connected; expected reconnecting until then, from the start "
                + "of the run"
        )
    }

    @Test("'until' requires the release within its bound", arguments: [(ms(1000), Outcome.pass), (ms(1000, 1), .fail)])
    func bound(connected: Instant, outcome: Outcome) {
        #expect(judged(banner: ms(1500), connected: connected).outcome == outcome)
    }

    @Test("'until' fails without its release, and the reason names the missing release")
    func missing() {
        let verdict = judged(banner: ms(1500), connected: nil)
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.reason.text
                == "client.connected did not happen from 0.000 to 1.000; expected within 1s of the start of the run"
        )
        #expect(judged(banner: ms(999), connected: nil, end: ms(999)).outcome == .fail)
        let held = [set(ms(0), "banner.kind", "reconnecting")]
        #expect(judge(formula, within: .seconds(1), held, end: ms(999)).outcome == .inconclusive)
        #expect(judge(formula, within: .seconds(1), held, end: ms(1000)).outcome == .fail)
    }

    @Test("The release of 'until' may be a state")
    func untilState() {
        let formula = Formula.until(state("banner.kind", "reconnecting"), connected)
        let entries = [
            set(ms(0), "banner.kind", "reconnecting"), set(ms(300), "connection.state", "connected"),
            set(ms(300), "banner.kind", nil),
        ]
        #expect(judge(formula, within: .seconds(1), entries, end: ms(2000)).outcome == .pass)
    }

    @Test("'until' is inconclusive if its state was never reported before the release")
    func neverReported() {
        let verdict = judge(formula, within: .seconds(1), [event(ms(300), "client.connected")], end: ms(2000))
        #expect(verdict.outcome == .inconclusive)
        #expect(
            verdict.reason.text == "client.connected came at 0.300, before banner.kind reconnecting was ever reported"
        )
        let late = [event(ms(300), "client.connected"), set(ms(400), "banner.kind", "reconnecting")]
        #expect(judge(formula, within: .seconds(1), late, end: ms(2000)).outcome == .inconclusive)
        let untilState = Formula.until(state("banner.kind", "reconnecting"), connected)
        let state = [set(ms(300), "connection.state", "connected")]
        #expect(judge(untilState, within: .seconds(1), state, end: ms(2000)).outcome == .inconclusive)
    }

    @Test("'until' is inconclusive if the release occurs at the instant at which the scope opens")
    func releasedAtOnce() {
        let entries = [
            set(ms(0), "banner.kind", "reconnecting"), event(ms(100), "client.woke"),
            event(ms(100), "client.connected"),
        ]
        let verdict = judge(formula, .after(happens("client.woke")), within: .seconds(1), entries, end: ms(2000))
        #expect(verdict.outcome == .inconclusive)
        #expect(
            verdict.reason.text == """
                client.connected came at 0.100, before banner.kind reconnecting could be required, from client.woke at \
                0.100
                """
        )
    }

    @Test("'until' fails if one of several states does not hold")
    func oneOfSeveral() {
        let hold = StateCondition([
            ObservablePredicate(ObservableReference("connection.state"), .equals("offline")),
            ObservablePredicate(ObservableReference("unread", key: .one("lobby")), .equals(5)),
        ])
        let formula = Formula.until(hold, happens("client.connected"))
        let entries = [set(ms(0), "connection.state", "connecting"), event(ms(300), "client.connected")]
        let verdict = judge(formula, within: .seconds(1), entries, end: ms(2000))
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.reason.text == """
                connection.state was connecting at 0.000, before client.connected; expected offline until then, from the \
                start of the run
                """
        )
        let right = [set(ms(0), "connection.state", "offline"), event(ms(300), "client.connected")]
        #expect(judge(formula, within: .seconds(1), right, end: ms(2000)).outcome == .inconclusive)
    }
}
