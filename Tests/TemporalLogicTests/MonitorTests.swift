import SquallCore
import TemporalLogic
import Testing
import Trace

/// Tests monitors during a run: open bounds, deadlines and scopes.
@Suite struct MonitorTests {
    private struct Run {
        var set: MonitorSet
        private var next = 0

        init(_ expectations: [Claim]) {
            set = MonitorSet(expectations)
        }

        mutating func see(_ entries: Entry...) {
            for entry in entries {
                set.observe(
                    TraceEvent(
                        index: next,
                        time: entry.time,
                        client: entry.client,
                        observation: entry.observation
                    )
                )
                next += 1
            }
        }
    }

    @Test("A run may end only when no bound is open")
    func requiredRunEnd() {
        var run = Run([
            expectation(.leadsTo(when: happens("server.stopped"), then: offline), within: .seconds(1)),
            expectation(.eventually(connected), within: .milliseconds(300)),
            expectation(.never(offline), within: .milliseconds(200)),
        ])
        #expect(run.set.requiredRunEnd == ms(300))
        run.see(set(ms(100), "connection.state", "connected"))
        // The claim of `eventually` is satisfied, so only the bound of `never` is still open.
        #expect(run.set.requiredRunEnd == ms(200))
        run.see(event(ms(150), "server.stopped"))
        #expect(run.set.requiredRunEnd == ms(1150))
        run.see(set(ms(400), "connection.state", "offline"))
        #expect(run.set.requiredRunEnd == nil)
        let judgement = run.set.finish(at: ms(400), scriptFinished: true)
        #expect(judgement.expectations.map(\.outcome) == [.pass, .pass, .pass])
    }

    @Test("A state that ends at the same instant at which it began reopens its bound")
    func undone() {
        var run = Run([expectation(.eventually(connected), within: .milliseconds(300))])
        run.see(set(ms(100), "connection.state", "connected"))
        #expect(run.set.requiredRunEnd == nil)
        run.see(set(ms(100), "connection.state", "offline"))
        #expect(run.set.requiredRunEnd == ms(300))
        #expect(run.set.finish(at: ms(300), scriptFinished: true).expectations[0].outcome == .fail)
    }

    @Test("A run waits for the offset of a condition and for the bound after it")
    func offset() {
        var run = Run([
            expectation(
                .eventually(connected),
                .after(happens("client.woke", offset: .milliseconds(50))),
                within: .milliseconds(100)
            )
        ])
        #expect(run.set.requiredRunEnd == nil)
        run.see(event(ms(10), "client.woke"))
        #expect(run.set.requiredRunEnd == ms(160))
        run.set.advance(to: ms(60))
        #expect(run.set.requiredRunEnd == ms(160))
    }

    @Test(
        "A run continues until a scope that closes with an offset has closed",
        arguments: [
            Scope.between(happens("client.woke"), happens("client.connected", offset: .seconds(30))),
            .before(happens("client.connected", offset: .seconds(30))),
        ]
    )
    func closing(scope: Scope) {
        var run = Run([expectation(.never(happens("client.gave_up")), scope)])
        run.see(event(ms(10), "client.woke"), event(ms(20), "client.connected"))
        #expect(run.set.requiredRunEnd == ms(30_020))
        run.see(event(ms(25_000), "client.gave_up"))
        #expect(run.set.finish(at: ms(30_020), scriptFinished: true).expectations[0].outcome == .fail)
    }

    @Test("A scope that opens after the script does not prolong the run")
    func closingAfterTheScript() {
        let scope = Scope.between(happens("client.woke"), happens("client.connected", offset: .seconds(30)))
        var run = Run([expectation(.never(happens("client.gave_up")), scope)])
        run.set.scriptEnded(at: ms(5))
        run.see(event(ms(10), "client.woke"), event(ms(20), "client.connected"))
        #expect(run.set.requiredRunEnd == nil)
    }

    @Test("A run waits for the end of the fault that closes a scope, or of any fault if none is named")
    func faultEnds() {
        let unnamed = Scope.between(happens("fault.began"), happens("fault.ended"))
        var run = Run([
            expectation(.never(happens("client.gave_up")), unnamed),
            expectation(.never(happens("client.gave_up")), .during(fault: "hole")),
        ])
        #expect(run.set.awaitedFaults.isEmpty)
        run.see(event(ms(10), "fault.began", key: "hole"))
        #expect(run.set.awaitedFaults.map(\.label) == [nil, "hole"])
        run.see(event(ms(20), "fault.ended", key: "hole"))
        #expect(run.set.awaitedFaults.isEmpty)
    }

    @Test("A late message counts as stale even if the scope is only the end of the run")
    func staleAtEnd() {
        let delivery = Delivery(conversation: "stukov", lost: .exactly(0), stale: .exactly(0))
        var run = Run([expectation(.delivered(delivery), .atEnd, within: .seconds(1))])
        run.see(
            set(ms(0), "connection.state", "connected"),
            event(ms(10), "server.stored", ["conversation": "stukov", "sequence": 1], key: "a")
        )
        #expect(run.set.requiredRunEnd == ms(1010))
        run.see(set(ms(9000), "conversation.messages", ["a"], key: "stukov"))
        #expect(run.set.finish(at: ms(9500), scriptFinished: true).expectations[0].outcome == .fail)
    }

    @Test("In an in_order with more than 60 steps each step reads its own observable")
    func manySteps() {
        let steps = Array(repeating: connected, count: 61) + [level("outbox.count", 0)]
        var run = Run([expectation(.inOrder(steps, strict: false), within: .seconds(1))])
        run.see(set(ms(10), "outbox.count", 0), set(ms(20), "connection.state", "connected"))
        #expect(run.set.finish(at: ms(1000), scriptFinished: true).expectations[0].outcome == .pass)
    }

    @Test("A run waits for messages that are still to be delivered")
    func delivered() {
        let delivery = Delivery(conversation: "stukov", lost: .exactly(0))
        var run = Run([expectation(.delivered(delivery), within: .seconds(1))])
        #expect(run.set.requiredRunEnd == nil)
        run.see(event(ms(10), "server.stored", ["conversation": "stukov", "sequence": 1], key: "a"))
        #expect(run.set.requiredRunEnd == ms(1010))
        run.see(set(ms(20), "conversation.messages", ["a"], key: "stukov"))
        #expect(run.set.requiredRunEnd == nil)
    }

    @Test("A bound elapses when time advances without events, and its expectation is then decided")
    func advance() {
        var run = Run([expectation(.eventually(connected), within: .milliseconds(300))])
        run.set.advance(to: ms(300))
        #expect(!run.set.isDecided)
        run.set.advance(to: ms(300, 1))
        #expect(run.set.isDecided)
        // The deadline passed a nanosecond before this event, so the event cannot satisfy the claim.
        run.see(set(ms(300, 1), "connection.state", "connected"))
        #expect(run.set.finish(at: ms(900), scriptFinished: true).expectations[0].outcome == .fail)
    }

    @Test("A bound opened by an event elapses without further events")
    func advanceAfterTrigger() {
        let formula = Formula.leadsTo(when: happens("server.stopped"), then: offline)
        var run = Run([expectation(formula, within: .seconds(1))])
        run.set.advance(to: ms(50))
        run.see(event(ms(100), "server.stopped"))
        run.set.advance(to: ms(1100))
        #expect(!run.set.isDecided)
        run.set.advance(to: ms(1100, 1))
        #expect(run.set.isDecided)
    }

    @Test("Triggers that cause each other do not prolong the run without end after the script")
    func scriptEnd() {
        let polls = Formula.leadsTo(when: happens("client.requested"), then: happens("client.requested"))
        func run(_ times: [Int64], end: Int64) -> (open: Instant?, outcome: Outcome) {
            var run = Run([expectation(polls, within: .seconds(30))])
            for time in times where time <= 40 { run.see(event(ms(time * 1000), "client.requested")) }
            run.set.scriptEnded(at: ms(45_000))
            for time in times where time > 40 { run.see(event(ms(time * 1000), "client.requested")) }
            return (
                run.set.requiredRunEnd, run.set.finish(at: ms(end * 1000), scriptFinished: true).expectations[0].outcome
            )
        }
        // If a trigger occurs before the script's end, the run continues until its bound has passed. A trigger after
        // the script's end does not prolong the run.
        #expect(run([10, 40], end: 70) == (ms(70_000), .fail))
        #expect(run([10, 40, 70], end: 70) == (nil, .pass))
        // The bound of the last trigger ends before the run does, so the missing response is a failure.
        #expect(run([10, 40, 70], end: 100) == (nil, .fail))
        // The bound of a trigger after the script's end does not end within the run, so the verdict is inconclusive.
        #expect(run([50], end: 70) == (nil, .inconclusive))
    }

    @Test("Further events at the current instant are still taken into account")
    func sameInstant() {
        var run = Run([expectation(.eventually(connected), within: .milliseconds(300))])
        run.set.advance(to: ms(300))
        run.see(set(ms(300), "connection.state", "connected"))
        #expect(run.set.finish(at: ms(300), scriptFinished: true).expectations[0].outcome == .pass)
    }

    @Test("A monitor records which events it has used as evidence")
    func readEvents() {
        var run = Run([
            expectation(
                .leadsTo(when: happens("client.connected"), then: level("toast.text", "hi")),
                within: .seconds(1)
            )
        ])
        run.see(
            event(ms(1), "server.started"),
            event(ms(2), "client.connected"),
            set(ms(3), "toast.text", "ho"),
            set(ms(4), "toast.text", "hi", key: "other"),
            set(ms(5), "connection.state", "connected"),
            set(ms(6), "toast.text", "hi")
        )
        #expect(run.set.monitors[0].readEvents == [1, 2, 5])
    }

    @Test("A single monitor gives the same verdict as the same monitor in a set")
    func alone() {
        let entries = [event(ms(100), "client.connected"), set(ms(200), "connection.state", "connected")]
        var monitor = Monitor(
            expectation(.leadsTo(when: happens("client.connected"), then: connected), within: .milliseconds(100))
        )
        var state = ObservedState()
        for event in recording(entries, end: ms(900)).events {
            state.apply(event)
            monitor.observe(event, state: state)
        }
        #expect(monitor.requiredRunEnd == nil)
        #expect(monitor.readEvents == [0, 1])
        #expect(monitor.finish(at: ms(900), scriptFinished: true).outcome == .pass)
    }

    @Test("The state of a monitor set is the state after the last event")
    func currentState() {
        var run = Run([])
        run.see(set(ms(1), "toast.text", "hi"))
        #expect(run.set.state[ObservedName(client: .only, name: "toast.text", key: nil)] == "hi")
    }

    @Test("Verdicts do not depend on how often the passing of time is reported between events")
    func independence() {
        let expectations = [
            expectation(.leadsTo(when: happens("client.connected"), then: offline), within: .milliseconds(150)),
            expectation(.always(state("connection.state", "connected")), .after(connected), within: .milliseconds(250)),
            expectation(.count(happens("client.sent.ping"), .atLeast(1), inAny: .milliseconds(200))),
        ]
        let entries = [
            set(ms(50), "connection.state", "connected"), event(ms(100), "client.connected"),
            event(ms(190), "client.sent.ping"), set(ms(310), "connection.state", "offline"),
        ]
        let trace = recording(entries, end: ms(380))
        var told = MonitorSet(expectations)
        for event in trace.events {
            for time in stride(from: Int64(0), to: event.time.nanoseconds, by: 7_000_000) {
                told.advance(to: Instant(nanoseconds: time))
            }
            told.observe(event)
            _ = told.requiredRunEnd
        }
        #expect(told.finish(at: trace.end, scriptFinished: true) == MonitorSet.judge(trace, expectations))
    }
}

@Suite struct ExpectationTests {
    @Test(
        "An invalid expectation lists its problems",
        arguments: [
            (expectation(.eventually(connected)), ["'eventually' needs a bound; add 'within'"]),
            (expectation(.leadsTo(when: connected, then: offline)), ["'leads_to' needs a bound; add 'within'"]),
            (
                expectation(.inOrder([connected], strict: true), within: .seconds(1)),
                ["'in_order' needs at least two conditions"]
            ),
            (
                expectation(.delivered(Delivery(conversation: nil))),
                ["'delivered' needs at least one of: lost, duplicated, unexpected, stale, reordered"]
            ),
            (
                expectation(.delivered(Delivery(conversation: nil, stale: .exactly(0)))),
                ["'stale' needs a bound; add 'within'"]
            ),
            (
                expectation(.transitions(of: ObservableReference("a", key: .every), are: [], exhaustive: true)),
                [
                    "'transitions' needs at least one value",
                    "'transitions' follows one value; name a key instead of '[*]'",
                ]
            ),
            (
                expectation(.same(ObservableReference("a", key: .any), ObservableReference("b"))),
                ["'same' compares two values; name keys instead of '[*]'"]
            ),
            (expectation(.count(connected, .atMost(1), inAny: .zero)), ["'in_any' must be longer than 0"]),
            (expectation(.never(happens("x")), .atEnd), ["'at: end' needs a state, not an event"]),
            (expectation(.count(connected, .atMost(1), inAny: nil), .atEnd), ["'count' cannot be judged 'at: end'"]),
            (expectation(.never(happens("x", ordinal: 0))), ["'#0' names no event; the first one is #1"]),
            (expectation(.never(Condition(event: nil))), ["'never' has an empty condition"]),
            (expectation(.eventually(connected), .atEnd), []),
            (expectation(.never(offline), .during(fault: "x")), []),
        ]
    )
    func problems(expectation: Claim, problems: [String]) {
        #expect(expectation.problems == problems)
    }

    @Test("An expectation lists the observables and events that it needs")
    func names() {
        let condition = Condition.state(
            ObservablePredicate(
                ObservableReference("view.rows"),
                .each(.keyed("message.status", .equals("delivered")))
            ),
            ObservablePredicate(
                ObservableReference("unread", key: .one("x")),
                .sameAs(ObservableReference("badge.count"))
            )
        )
        let complex = expectation(.eventually(condition), .after(happens("client.connected")), within: .seconds(1))
        #expect(complex.names == ["view.rows", "message.status", "unread", "badge.count", "client.connected"])
        #expect(
            expectation(.never(offline), .during(fault: "x")).names == [
                "connection.state", "fault.began", "fault.ended",
            ]
        )
        #expect(expectation(.delivered(Delivery(conversation: nil))).names.contains("conversation.messages"))
    }
}
