import SquallCore
import TemporalLogic
import Testing

@Suite struct InvariantSetTests {
    @Test("Every invariant is judged, in a fixed order, and an empty run skips all of them")
    func names() {
        let invariants = MonitorSet.judge(recording([], end: ms(10)), [], invariants: everything).invariants
        #expect(invariants.map(\.name) == InvariantName.allCases)
        #expect(invariants.allSatisfy { $0.verdict.outcome == .skipped && !$0.verdict.reason.text.isEmpty })
    }

    @Test("A run without faults passes the invariants that apply to it")
    func quiet() {
        let invariants = MonitorSet.judge(recording(connectedAtOnce, end: ms(5000)), [], invariants: everything)
            .invariants
        #expect(!invariants.contains { $0.verdict.outcome == .fail })
        let kept = invariants.filter { $0.verdict.outcome == .pass }.map(\.name)
        let expected: [InvariantName] = [
            .honestUI, .liveness, .noSilentGap, .subscriptionsFollowSession, .statesWellFormed, .processSurvives,
            .attemptsHaveReason, .surfacesAgree,
        ]
        #expect(kept == expected)
    }

    @Test("A waived invariant is skipped, and the verdict contains the reason of the waiver")
    func waived() {
        var waiving = everything
        waiving.waived[.statesWellFormed] = "the app under test repeats itself"
        let twice = [connection(ms(0), "connected"), connection(ms(1), "connected")]
        #expect(judge(.statesWellFormed, twice, end: ms(9)).outcome == .fail)
        let verdict = judge(.statesWellFormed, twice, end: ms(9), settings: waiving)
        #expect(verdict == .skipped("waived: the app under test repeats itself"))
    }

    @Test("Each client is judged separately, and the reason names the client if there are several")
    func clients() {
        let anna = ClientID("anna")
        let entries = [connection(ms(0), "connected"), connection(ms(1), "connected").of("anna")]
        #expect(judge(.statesWellFormed, entries, end: ms(9), clients: [.only, anna]).outcome == .pass)
        let twice = entries + [connection(ms(2), "connected").of("anna")]
        let verdict = judge(.statesWellFormed, twice, end: ms(9), clients: [.only, anna])
        #expect(verdict.reason.text == "anna: connection.state connected twice in a row, at 0.002")
    }
}
