import SquallCore
import TemporalLogic
import Testing

@Suite struct EventuallyTests {
    @Test(
        "'eventually' accepts an event exactly at the bound and rejects it a nanosecond later",
        arguments: [
            (ms(0), Outcome.pass), (ms(500), .pass), (ms(500, 1), .fail),
        ]
    )
    func boundOfEvent(time: Instant, outcome: Outcome) {
        let verdict = judge(
            .eventually(happens("client.connected")),
            within: .milliseconds(500),
            [event(time, "client.connected")],
            end: ms(1000)
        )
        #expect(verdict.outcome == outcome)
    }

    @Test(
        "'eventually' accepts a state exactly at the bound and rejects it a nanosecond later",
        arguments: [
            (ms(0), Outcome.pass), (ms(500), .pass), (ms(500, 1), .fail),
        ]
    )
    func boundOfState(time: Instant, outcome: Outcome) {
        let verdict = judge(
            .eventually(connected),
            within: .milliseconds(500),
            [set(time, "connection.state", "connected")],
            end: ms(1000)
        )
        #expect(verdict.outcome == outcome)
    }

    @Test("'eventually' fails at the bound if the event is missing, even if the run ends at that instant")
    func nothingComes() {
        let formula = Formula.eventually(happens("client.connected"))
        #expect(judge(formula, within: .milliseconds(500), [], end: ms(500)).outcome == .fail)
        let cut = judge(formula, within: .milliseconds(500), [], end: ms(499))
        #expect(cut.outcome == .inconclusive)
        #expect(
            cut.reason.text
                == "the run ended at 0.499, before client.connected was due within 500ms of the start of the run"
        )
    }

    @Test("A failed 'eventually' lists all values since the wait began and marks the nearest one")
    func valuesThatWereShownInstead() {
        let entries = [
            set(ms(10), "banner.text", "too early"), set(ms(50), "banner.text", "something else"),
            set(ms(200), "banner.text", "No internet"), set(ms(300), "banner.text", .null),
        ]
        let verdict = judge(
            .eventually(level("banner.text", "No internet connection")),
            .after(happens("client.connected")),
            within: .milliseconds(500),
            entries.prefix(2) + [event(ms(100), "client.connected")] + entries.suffix(2),
            end: ms(1000)
        )
        #expect(verdict.outcome == .fail)
        #expect(verdict.reason.seen.map(\.text) == ["\"something else\"", "\"No internet\"", "null"])
        #expect(verdict.reason.seen.map(\.since) == [ms(100), ms(200), ms(300)])
        #expect(verdict.reason.seen.map(\.isNearest) == [false, true, false])
        #expect(verdict.reason.seen.map(\.event) == [1, 3, 4])
    }

    @Test("The nearest number is the one with the smallest difference, and null is never the nearest")
    func nearestNumber() {
        let entries = [
            set(ms(10), "badge.app", 9), set(ms(20), "badge.app", 5), set(ms(30), "badge.app", .null),
        ]
        let verdict = judge(
            .eventually(level("badge.app", 4)),
            within: .milliseconds(500),
            entries,
            end: ms(1000)
        )
        #expect(verdict.reason.seen.filter(\.isNearest).map(\.text) == ["5"])
    }

    @Test("'eventually' ignores a state that is replaced at the same instant")
    func transient() {
        let entries = [
            set(ms(100), "connection.state", "connected"), set(ms(100), "connection.state", "offline"),
        ]
        #expect(judge(.eventually(connected), within: .seconds(1), entries, end: ms(2000)).outcome == .fail)
        #expect(judge(.eventually(offline), within: .seconds(1), entries, end: ms(2000)).outcome == .pass)
    }

    @Test("'eventually' counts its bound from the opening of the scope and ignores earlier events")
    func afterScope() {
        let formula = Formula.eventually(happens("client.sent.sync"))
        let scope = Scope.after(happens("client.connected"))
        let early = [event(ms(10), "client.sent.sync"), event(ms(10), "client.connected")]
        #expect(judge(formula, scope, within: .milliseconds(5), early, end: ms(100)).outcome == .fail)
        for (offset, outcome) in [(ms(15), Outcome.pass), (ms(15, 1), .fail)] {
            let entries = early + [event(offset, "client.sent.sync")]
            #expect(judge(formula, scope, within: .milliseconds(5), entries, end: ms(100)).outcome == outcome)
        }
    }

    @Test("A scope opened by a state includes events after the change at the same instant, but not those before")
    func openedByState() {
        let formula = Formula.eventually(happens("client.sent.sync"))
        let entries = [set(ms(10), "connection.state", "connected"), event(ms(10), "client.sent.sync")]
        #expect(judge(formula, .after(connected), within: .zero, entries, end: ms(100)).outcome == .pass)
        #expect(judge(formula, .after(connected), within: .zero, entries.reversed(), end: ms(100)).outcome == .fail)
    }

    @Test("'eventually' is inconclusive if its scope never opens")
    func vacuous() {
        let verdict = judge(
            .eventually(connected),
            .after(happens("client.woke")),
            within: .seconds(1),
            [set(ms(0), "connection.state", "connected")],
            end: ms(5000)
        )
        #expect(verdict.outcome == .inconclusive)
        #expect(verdict.reason.text == "client.woke never happened")
    }

    @Test("A failed 'eventually' states the observed value, since when it was observed, and the deadline")
    func text() {
        let toast = Condition.state(
            ObservablePredicate(ObservableReference("toast.text"), .equals("Reconnected. 3 messages synced."))
        )
        let entries = [
            set(ms(0), "toast.text", nil), event(ms(3000), "client.connected"), set(ms(5000), "toast.text", nil),
            event(ms(12_400), "client.connected"),
        ]
        let verdict = judge(
            .eventually(toast),
            .after(happens("client.connected", ordinal: 2)),
            within: .milliseconds(500),
            entries,
            end: ms(20_000)
        )
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.reason.text == """
                toast.text was null from 12.400 to 12.900; expected "Reconnected. 3 messages synced." within 500ms of \
                client.connected#2 at 12.400
                """
        )
        #expect(verdict.reason.expectedBy == ms(12_900))
        #expect(verdict.reason.events == [3])
        #expect(verdict.reason.lastSeen == "toast.text null since 0.000")
    }

    @Test("A tolerance is added to the bound and shown in the verdict")
    func tolerance() {
        let tolerance = Tolerance(fixed: .milliseconds(20), share: Ratio(2, of: 100) ?? .never)
        let formula = Formula.eventually(happens("client.connected"))
        for (time, outcome) in [(ms(530), Outcome.pass), (ms(530, 1), .fail)] {
            let verdict = judge(
                formula,
                within: .milliseconds(500),
                [event(time, "client.connected")],
                end: ms(1000),
                tolerance: tolerance
            )
            #expect(verdict.outcome == outcome)
            if outcome == .fail {
                #expect(
                    verdict.reason.text
                        == "client.connected did not happen from 0.000 to 0.530; expected within 500ms (+30ms tolerance) of "
                        + "the start of the run"
                )
            }
        }
    }
}
