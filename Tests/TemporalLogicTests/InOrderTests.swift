import SquallCore
import TemporalLogic
import Testing

@Suite struct InOrderTests {
    private let steps = [happens("client.connected"), happens("client.sent.sync"), happens("client.received.replay")]

    private func judged(_ names: [String], strict: Bool, end: Instant = ms(5000)) -> Verdict {
        let entries = names.enumerated().map { event(ms(Int64($0.offset + 1) * 100), $0.element) }
        return judge(.inOrder(steps, strict: strict), within: .seconds(1), entries, end: end)
    }

    @Test("'in_order' passes for steps in the given order with other events between them")
    func loose() {
        let names = [
            "client.sent.sync", "client.connected", "client.connected", "client.sent.ping", "client.sent.sync",
            "client.received.replay", "client.connected",
        ]
        #expect(judged(names, strict: false).outcome == .pass)
    }

    @Test("'in_order' fails for steps out of order")
    func wrongOrder() {
        let verdict = judged(["client.sent.sync", "client.received.replay", "client.connected"], strict: false)
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.reason.text
                == "client.sent.sync did not happen from 0.300 to 1.000 (last at 0.100); expected as step 2 of 3 within 1s of "
                + "the start of the run"
        )
        #expect(verdict.reason.events == [2])
    }

    @Test(
        "A strict in_order fails if a step occurs out of order, but allows other events between steps",
        arguments: [
            (["client.connected", "client.sent.ping", "client.sent.sync", "client.received.replay"], Outcome.pass),
            (["client.connected", "client.sent.sync", "client.received.replay", "client.connected"], .pass),
            (["client.connected", "client.connected", "client.sent.sync", "client.received.replay"], .fail),
            (["client.sent.sync", "client.connected", "client.sent.sync", "client.received.replay"], .fail),
        ]
    )
    func strict(names: [String], outcome: Outcome) {
        #expect(judged(names, strict: true).outcome == outcome)
    }

    @Test("The reason for a failed strict in_order names the expected and the observed step")
    func strictText() {
        let verdict = judged(["client.connected", "client.received.replay"], strict: true)
        #expect(
            verdict.reason.text
                == "client.received.replay happened at 0.200, out of order; expected client.sent.sync next (step "
                + "2 of 3), within 1s of the start of the run"
        )
    }

    @Test(
        "The last step of in_order must occur within the bound",
        arguments: [(ms(1000), Outcome.pass), (ms(1000, 1), .fail)]
    )
    func bound(last: Instant, outcome: Outcome) {
        let entries = [
            event(ms(1), "client.connected"), event(ms(2), "client.sent.sync"), event(last, "client.received.replay"),
        ]
        #expect(judge(.inOrder(steps, strict: false), within: .seconds(1), entries, end: ms(5000)).outcome == outcome)
    }

    @Test("'in_order' judges steps at one instant by their order in the trace")
    func sameInstant() {
        let names = ["client.connected", "client.sent.sync", "client.received.replay"]
        let right = names.map { event(ms(7), $0) }
        let wrong = names.reversed().map { event(ms(7), $0) }
        for strict in [false, true] {
            let formula = Formula.inOrder(steps, strict: strict)
            #expect(judge(formula, within: .seconds(1), right, end: ms(5000)).outcome == .pass)
            #expect(judge(formula, within: .seconds(1), wrong, end: ms(5000)).outcome == .fail)
        }
    }

    @Test("A state that holds when the scope opens counts only as the first step of a strict in_order")
    func statesStrictly() {
        let scope = Scope.after(happens("client.woke"))
        let entries = [
            set(ms(0), "connection.state", "connected"), event(ms(10), "client.woke"),
            event(ms(20), "client.sent.sync"),
        ]
        let first = Formula.inOrder([connected, happens("client.sent.sync")], strict: true)
        #expect(judge(first, scope, within: .seconds(1), entries, end: ms(5000)).outcome == .pass)
        let second = Formula.inOrder([happens("client.sent.sync"), connected], strict: true)
        #expect(judge(second, scope, within: .seconds(1), entries, end: ms(5000)).outcome == .fail)
        let loosely = Formula.inOrder([happens("client.sent.sync"), connected], strict: false)
        #expect(judge(loosely, scope, within: .seconds(1), entries, end: ms(5000)).outcome == .pass)
    }

    @Test("'in_order' counts steps at the instant at which the scope closes, if they precede the closing event")
    func closing() {
        let scope = Scope.before(happens("client.woke"))
        let done = ["client.connected", "client.sent.sync", "client.received.replay"].map { event(ms(7), $0) }
        let closer = event(ms(7), "client.woke")
        for strict in [false, true] {
            let formula = Formula.inOrder(steps, strict: strict)
            #expect(judge(formula, scope, within: .seconds(1), done + [closer], end: ms(50)).outcome == .pass)
            let late = Array(done.dropLast()) + [closer] + done.suffix(1)
            #expect(judge(formula, scope, within: .seconds(1), late, end: ms(50)).outcome == .fail)
        }
    }

    @Test("'in_order' can mix states and events, and one event counts for one step only")
    func states() {
        let mixed = Formula.inOrder([connected, happens("client.sent.sync"), offline], strict: false)
        let entries = [
            event(ms(10), "client.sent.sync"), set(ms(10), "connection.state", "connected"),
            set(ms(20), "connection.state", "offline"),
        ]
        #expect(judge(mixed, within: .seconds(1), entries, end: ms(5000)).outcome == .pass)
        let twice = Formula.inOrder([happens("client.sent.sync"), happens("client.sent.sync")], strict: false)
        #expect(judge(twice, within: .seconds(1), entries, end: ms(5000)).outcome == .fail)
        let strictly = Formula.inOrder([level("connection.state", "connecting"), connected], strict: true)
        let path = [set(ms(10), "connection.state", "connecting"), set(ms(20), "connection.state", "connected")]
        #expect(judge(strictly, within: .seconds(1), path, end: ms(5000)).outcome == .pass)
        #expect(
            judge(
                strictly,
                within: .seconds(1),
                path.reversed().map { entry in
                    set(
                        entry.time == ms(10) ? ms(20) : ms(10),
                        "connection.state",
                        entry.time == ms(10) ? "connecting" : "connected"
                    )
                },
                end: ms(5000)
            ).outcome == .fail
        )
    }
}
