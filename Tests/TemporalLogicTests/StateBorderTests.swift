import SquallCore
import TemporalLogic
import Testing
import Trace

/// Tests which events at the same instant are inside a scope that is opened or closed by a state.
@Suite struct StateBorderTests {
    /// Returns a trace in which the client connects at 100 ms, with events before and after that change at the same
    /// instant.
    private func entries(before: [String] = [], behind: [String] = []) -> [Entry] {
        [set(ms(0), "connection.state", "connecting")] + before.map { event(ms(100), $0) }
            + [set(ms(100), "connection.state", "connected")] + behind.map { event(ms(100), $0) }
    }

    private let sent = happens("client.sent.send")

    @Test("After a state: events that follow the change at the same instant are in the scope of every operator")
    func opened() {
        let twice = entries(behind: ["fault.began", "client.sent.send", "client.sent.send"])
        func outcome(_ formula: Formula, within bound: TimeSpan? = nil) -> Outcome {
            judge(formula, .after(connected), within: bound, twice, end: ms(900)).outcome
        }
        #expect(outcome(.never(happens("fault.began"))) == .fail)
        #expect(outcome(.eventually(sent), within: .zero) == .pass)
        #expect(outcome(.count(sent, .exactly(0), inAny: nil)) == .fail)
        #expect(outcome(.count(sent, .exactly(2), inAny: nil)) == .pass)
        #expect(outcome(.inOrder([happens("fault.began"), sent], strict: false), within: .zero) == .pass)
        #expect(outcome(.inOrder([happens("fault.began"), sent], strict: true), within: .zero) == .pass)
        #expect(outcome(.leadsTo(when: happens("fault.began"), then: sent), within: .zero) == .pass)
    }

    @Test("After a state: events that precede the change at the same instant are outside the scope")
    func notYetOpened() {
        let early = entries(before: ["client.sent.send"])
        #expect(judge(.never(sent), .after(connected), early, end: ms(900)).outcome == .pass)
        #expect(judge(.eventually(sent), .after(connected), within: .zero, early, end: ms(900)).outcome == .fail)
        let exactly = Formula.count(sent, .exactly(1), inAny: nil)
        let both = entries(before: ["client.sent.send"], behind: ["client.sent.send"])
        #expect(judge(exactly, .after(connected), both, end: ms(900)).outcome == .pass)
    }

    @Test("After a state: a later change at the opening instant is inside the scope")
    func transitions() {
        func steps(_ number: JSON, _ then: JSON) -> [Entry] {
            [
                set(ms(100), "outbox.count", number), set(ms(100), "connection.state", "connected"),
                set(ms(100), "outbox.count", then),
            ]
        }
        let formula = Formula.transitions(
            of: ObservableReference("outbox.count"),
            are: [.equals(1), .equals(2)],
            exhaustive: true
        )
        let entries = steps(0, 1) + [set(ms(200), "outbox.count", 2)]
        #expect(judge(formula, .after(connected), entries, end: ms(900)).outcome == .pass)
        let early = steps(1, 2)
        #expect(judge(formula, .after(connected), early, end: ms(900)).outcome == .fail)
    }

    @Test(
        "After a state: values set at the same instant are the first values of the scope",
        arguments: [7, nil] as [Int?]
    )
    func shownTogether(cause: Int?) {
        let entries = [
            set(ms(100), "connection.state", "connected"), set(ms(100), "connection.tone", "green"),
            set(ms(200), "connection.tone", "red"),
        ]
        var trace = recording(entries, end: ms(900))
        for index in 0...1 { trace.events[index].cause = cause }
        let tones = Formula.transitions(
            of: ObservableReference("connection.tone"),
            are: [.equals("red")],
            exhaustive: true
        )
        let verdict = MonitorSet.judge(trace, [expectation(tones, .after(connected))]).expectations[0]
        #expect(verdict.outcome == (cause == nil ? .fail : .pass))
    }

    @Test("After a state: the bound counts from the change that made the state hold")
    func turn() {
        let full = Condition.state(
            ObservablePredicate(ObservableReference("outbox.count"), .compares(.atLeast, Quantity(1)))
        )
        let entries = [
            set(ms(100), "outbox.count", 1), event(ms(100), "client.sent.send"), set(ms(100), "outbox.count", 2),
        ]
        #expect(judge(.never(sent), .after(full), entries, end: ms(900)).outcome == .fail)
        let undone = [
            set(ms(100), "outbox.count", 1), event(ms(100), "client.sent.send"), set(ms(100), "outbox.count", 0),
            set(ms(100), "outbox.count", 2),
        ]
        #expect(judge(.never(sent), .after(full), undone, end: ms(900)).outcome == .pass)
        #expect(judge(.never(sent), .after(full), Array(undone.dropLast()), end: ms(900)).outcome == .inconclusive)
    }

    @Test("Before a state: events that follow the change at the same instant are outside the scope")
    func closed() {
        let late = entries(behind: ["client.sent.send"])
        #expect(judge(.eventually(sent), .before(connected), within: .seconds(1), late, end: ms(900)).outcome == .fail)
        #expect(judge(.never(sent), .before(connected), late, end: ms(900)).outcome == .pass)
        #expect(judge(.count(sent, .exactly(0), inAny: nil), .before(connected), late, end: ms(900)).outcome == .pass)
    }

    @Test("Before a state: events that precede the change at the same instant are in the scope")
    func notYetClosed() {
        let early = entries(before: ["client.sent.send"])
        #expect(judge(.eventually(sent), .before(connected), within: .seconds(1), early, end: ms(900)).outcome == .pass)
        #expect(judge(.never(sent), .before(connected), early, end: ms(900)).outcome == .fail)
    }

    @Test("A state that begins and ends at the same instant does not close a scope")
    func undone() {
        let entries = [
            set(ms(100), "connection.state", "connected"), event(ms(100), "client.sent.send"),
            set(ms(100), "connection.state", "offline"), set(ms(200), "connection.state", "connected"),
        ]
        #expect(judge(.never(sent), .before(connected), entries, end: ms(900)).outcome == .fail)
    }

    @Test("Between states: every interval counts, even an interval within a single instant")
    func between() {
        let scope = Scope.between(connected, offline)
        let entries = [
            set(ms(100), "connection.state", "connected"), event(ms(100), "client.sent.send"),
            set(ms(200), "connection.state", "offline"), event(ms(200), "client.sent.send"),
            set(ms(300), "connection.state", "connected"), event(ms(300), "client.sent.send"),
        ]
        #expect(judge(.count(sent, .exactly(1), inAny: nil), scope, entries, end: ms(900)).outcome == .pass)
        #expect(judge(.eventually(sent), scope, within: .zero, entries, end: ms(900)).outcome == .pass)
        let missing = Array(entries.dropLast())
        #expect(judge(.eventually(sent), scope, within: .zero, missing, end: ms(900)).outcome == .fail)
    }

    @Test("A run may not end at the instant at which a state opens a scope with an open bound")
    func goesOn() {
        var monitors = MonitorSet([expectation(.eventually(sent), .after(connected), within: .seconds(1))])
        for event in recording(entries(), end: ms(100)).events { monitors.observe(event) }
        #expect(monitors.requiredRunEnd == ms(1100))
    }

    @Test("A state that holds at the start of the run opens its scope at the start")
    func fromTheStart() {
        let unset = Condition.state(ObservablePredicate(ObservableReference("banner.kind"), .set(false)))
        let entries = [event(ms(0), "client.sent.send"), set(ms(50), "banner.kind", nil)]
        #expect(judge(.never(sent), .after(unset), entries, end: ms(900)).outcome == .fail)
    }
}
