import ChatWire
import SquallCore
import TemporalLogic
import Testing
import Trace

@testable import ScenarioModel

/// Tests the director in isolation: the events that it observes and the actions that it performs.
@Suite struct DirectorTests {
    private static func line(_ number: Int) -> SquallCore.SourceLocation {
        SquallCore.SourceLocation(file: "script.yaml", line: number, column: 1)
    }

    private static func act(_ text: String, anchor: Step.Anchor? = nil, line number: Int = 1) -> Step {
        let stimulus = Stimulus(
            actor: .user,
            verb: "send",
            operation: .client(.send(conversation: nil, text: text, label: nil))
        )
        return Step(.act(stimulus), anchor: anchor, location: line(number))
    }

    private static let stored = Condition.event(EventPattern("server.stored"))

    /// A director, with the observed state of the run that it directs.
    private struct Rehearsal {
        var director: Director
        var state = ObservedState()
        var index = 0
        var now = Instant.zero

        init(_ script: [Step]) {
            director = Director(Scenario(file: "script.yaml", name: "by hand", script: script))
            director.begin(at: .zero)
        }

        mutating func happens(_ observation: Observation) {
            let event = TraceEvent(index: index, time: now, client: .only, observation: observation)
            index += 1
            let route = state.apply(event)
            director.observe(event, route, state: state)
        }

        mutating func passes(_ span: TimeSpan) {
            now = now + span
            director.advance(to: now)
        }

        /// Removes the actions that are due now, and returns the texts of the messages they send.
        mutating func due() -> [String] {
            var done: [String] = []
            while let cue = director.nextDue() {
                if case .client(.send(_, let text, _)) = cue.stimulus.operation { done.append(text) }
            }
            return done
        }
    }

    @Test("Actions without a wait between them are performed at once")
    func actionsWithoutAWaitFollowAtOnce() {
        var rehearsal = Rehearsal([Self.act("one"), Self.act("two")])
        #expect(rehearsal.due() == ["one", "two"])
        #expect(rehearsal.director.end == .zero)
        #expect(rehearsal.director.outcome == .finished)
    }

    @Test("A pause ends exactly after its duration")
    func aPauseLetsItsTimePassAndNotLess() {
        var rehearsal = Rehearsal([Step(.pause(.seconds(5)), location: Self.line(1)), Self.act("late")])
        #expect(rehearsal.due() == [])
        #expect(rehearsal.director.nextDeadline == Instant.zero + .seconds(5))
        rehearsal.passes(.seconds(5) - TimeSpan(nanoseconds: 1))
        #expect(rehearsal.due() == [])
        rehearsal.passes(TimeSpan(nanoseconds: 1))
        #expect(rehearsal.due() == ["late"])
    }

    @Test("A wait for a state that already holds ends at once, except with 'next'")
    func aLevelThatHoldsAlreadyIsNotWaitedForAndAnEdgeIs() {
        let connected = Condition.state(
            ObservablePredicate(ObservableReference("connection.state"), .equals("connected"))
        )
        for (next, expected) in [(false, ["on"]), (true, [])] {
            var rehearsal = Rehearsal([
                Step(.pause(.seconds(1)), location: Self.line(1)),
                Step(.wait(connected, next: next, within: .seconds(9)), location: Self.line(2)),
                Self.act("on"),
            ])
            rehearsal.happens(.set("connection.state", to: "connected"))
            #expect(rehearsal.due() == [])
            rehearsal.passes(.seconds(1))
            #expect(rehearsal.due() == expected)
            rehearsal.happens(.set("connection.state", to: "reconnecting"))
            _ = rehearsal.due()
            rehearsal.happens(.set("connection.state", to: "connected"))
            #expect(rehearsal.due() == (next ? ["on"] : []))
        }
    }

    @Test("A wait that times out stops the script and reports its line")
    func aWaitThatTimesOutIsStuckAtItsLineAndNothingBehindItIsDone() {
        var rehearsal = Rehearsal([
            Step(.wait(Self.stored, next: true, within: .seconds(3)), location: Self.line(7)),
            Self.act("never"),
        ])
        rehearsal.passes(.seconds(3))
        #expect(rehearsal.due() == [])
        #expect(rehearsal.director.nextDeadline == nil, "a director that is stuck wants nothing more")
        guard case .stuck(let location, let why, let due) = rehearsal.director.outcome else {
            Issue.record("\(rehearsal.director.outcome)")
            return
        }
        #expect(location == Self.line(7))
        #expect(why.contains("server.stored did not happen"))
        #expect(due == Instant.zero + .seconds(3))
    }

    @Test("An event exactly at the deadline satisfies the wait")
    func anEventAtTheDeadlineIsInTime() {
        var rehearsal = Rehearsal([
            Step(.wait(Self.stored, next: true, within: .seconds(3)), location: Self.line(1)), Self.act("on"),
        ])
        rehearsal.now = Instant.zero + .seconds(3)
        rehearsal.happens(.happened("server.stored", by: .observed))
        rehearsal.director.advance(to: rehearsal.now)
        #expect(rehearsal.due() == ["on"])
    }

    @Test("An anchored step is performed when its event occurs, not in script order")
    func anAnchoredStepWaitsForItsEventAndNotForItsTurn() {
        var rehearsal = Rehearsal([
            Self.act("anchored", anchor: .event(Self.stored)),
            Step(.pause(.seconds(60)), location: Self.line(2)),
        ])
        #expect(rehearsal.due() == [])
        rehearsal.happens(.happened("server.stored", by: .observed))
        #expect(rehearsal.due() == ["anchored"])
        rehearsal.happens(.happened("server.stored", by: .observed))
        #expect(rehearsal.due() == [], "once")
    }

    @Test("A step whose anchor event never occurred is reported")
    func anAnchorThatNeverCameIsReported() {
        var rehearsal = Rehearsal([Self.act("anchored", anchor: .event(Self.stored), line: 4)])
        #expect(rehearsal.due() == [])
        guard case .anchorMissing(let location, let what) = rehearsal.director.outcome else {
            Issue.record("\(rehearsal.director.outcome)")
            return
        }
        #expect(location == Self.line(4))
        #expect(what == "server.stored")
    }

    @Test("A step anchored to a time is performed at that time")
    func aStepAtATimeIsDoneThen() {
        var rehearsal = Rehearsal([Self.act("then", anchor: .time(Instant.zero + .seconds(2)))])
        #expect(rehearsal.due() == [])
        #expect(rehearsal.director.nextDeadline == Instant.zero + .seconds(2))
        rehearsal.passes(.seconds(2))
        #expect(rehearsal.due() == ["then"])
    }
}
