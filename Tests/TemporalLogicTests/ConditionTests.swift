import SquallCore
import TemporalLogic
import Testing
import Trace

@Suite struct ConditionTests {
    @Test(
        "An event name matches itself and names below it, but not other names that begin with the same letters",
        arguments: [
            ("client.sent", Outcome.pass), ("client.sent.message", .pass), ("client.sentinel", .fail),
            ("client", .fail),
        ]
    )
    func names(name: String, outcome: Outcome) {
        let entries = [event(ms(10), name)]
        #expect(
            judge(.eventually(happens("client.sent")), within: .seconds(1), entries, end: ms(2000)).outcome == outcome
        )
    }

    @Test("A pattern with a key matches events with that key, and a pattern without a key matches all events")
    func keys() {
        let entries = [event(ms(10), "server.stored", key: "hello")]
        for (key, outcome) in [(nil, Outcome.pass), ("hello", .pass), ("bye", .fail)] as [(String?, Outcome)] {
            let formula = Formula.eventually(happens("server.stored", key: key))
            #expect(judge(formula, within: .seconds(1), entries, end: ms(2000)).outcome == outcome)
        }
    }

    @Test("An ordinal counts events by name and key, and the fields are checked on the counted event only")
    func ordinalAndFields() {
        let entries = [
            event(ms(10), "client.connected", ["resumed": false]), event(ms(20), "client.connected", ["resumed": true]),
        ]
        func found(_ ordinal: Int?, _ resumed: Bool) -> Outcome {
            let fields = [EventPattern.Field("resumed", .equals(.bool(resumed)))]
            let pattern = EventPattern("client.connected", ordinal: ordinal, fields: fields)
            return judge(.eventually(.event(pattern)), within: .seconds(1), entries, end: ms(2000)).outcome
        }
        #expect(found(nil, true) == .pass)
        #expect(found(1, true) == .fail)
        #expect(found(2, true) == .pass)
        #expect(found(1, false) == .pass)
        #expect(found(3, false) == .fail)
    }

    @Test("A condition on several states is judged after the last change of an instant")
    func conjunction() {
        let both = Condition.state(
            ObservablePredicate(ObservableReference("connection.state"), .equals("connected")),
            ObservablePredicate(ObservableReference("banner.kind"), .set(false))
        )
        let entries = [
            set(ms(0), "connection.state", "offline"), set(ms(0), "banner.kind", "offline"),
            set(ms(100), "connection.state", "connected"), set(ms(100), "banner.kind", nil),
        ]
        #expect(judge(.eventually(both), within: .milliseconds(100), entries, end: ms(900)).outcome == .pass)
        let apart = entries.dropLast() + [set(ms(101), "banner.kind", nil)]
        let verdict = judge(.eventually(both), within: .milliseconds(100), Array(apart), end: ms(900))
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.reason.text
                == "banner.kind was offline from 0.000 to 0.100; expected no value within 100ms of the start of the run"
        )
    }

    @Test("A condition on all keys requires every value to match, and a condition on any key requires one")
    func everyKey() {
        func formula(_ key: KeySelector) -> Formula { .eventually(level("message.status", "delivered", key: key)) }
        let entries = [
            set(ms(0), "message.status", "queued", key: "a"), set(ms(0), "message.status", "queued", key: "b"),
            set(ms(10), "message.status", "delivered", key: "a"),
        ]
        #expect(judge(formula(.any), .atEnd, entries, end: ms(50)).outcome == .pass)
        let verdict = judge(formula(.every), .atEnd, entries, end: ms(50))
        #expect(verdict.outcome == .fail)
        #expect(verdict.reason.text.hasPrefix("message.status[b] was queued at 0.050; expected delivered"))
        let done = entries + [set(ms(20), "message.status", "delivered", key: "b")]
        #expect(judge(formula(.every), .atEnd, done, end: ms(50)).outcome == .pass)
        // `every` requires at least one key.
        #expect(judge(formula(.every), .atEnd, [], end: ms(50)).outcome == .fail)
        #expect(judge(.never(level("message.status", "failed", key: .any)), .run, done, end: ms(50)).outcome == .pass)
        let failed = done + [set(ms(30), "message.status", "failed", key: "b")]
        #expect(judge(.never(level("message.status", "failed", key: .any)), .run, failed, end: ms(50)).outcome == .fail)
    }

    @Test("A comparison with another observable is evaluated again when either observable changes")
    func sameAs() {
        let condition = Condition.state(
            ObservablePredicate(
                ObservableReference("unread", key: .one("stukov")),
                .sameAs(ObservableReference("badge.count"))
            )
        )
        let entries = [
            set(ms(0), "unread", 2, key: "stukov"), set(ms(0), "badge.count", 1), set(ms(100), "badge.count", 2),
        ]
        #expect(judge(.eventually(condition), within: .milliseconds(100), entries, end: ms(900)).outcome == .pass)
        #expect(judge(.eventually(condition), within: .milliseconds(99), entries, end: ms(900)).outcome == .fail)
    }

    @Test("A condition on each item of a list can use observables that have the item as their key")
    func keyed() {
        let delivered = ValuePredicate.each(.keyed("message.status", .equals("delivered")))
        let condition = Condition.state(
            ObservablePredicate(ObservableReference("conversation.messages", key: .one("stukov")), delivered)
        )
        let entries = [
            set(ms(0), "conversation.messages", ["a", "b"], key: "stukov"),
            set(ms(0), "message.status", "delivered", key: "a"),
            set(ms(0), "message.status", "sending", key: "b"), set(ms(100), "message.status", "delivered", key: "b"),
        ]
        #expect(judge(.eventually(condition), within: .milliseconds(100), entries, end: ms(900)).outcome == .pass)
        #expect(judge(.eventually(condition), within: .milliseconds(99), entries, end: ms(900)).outcome == .fail)
    }

    @Test("A condition on a list is evaluated after all edits of an instant")
    func edits() {
        let condition = level("view.rows", ["a", "b", "c"])
        let entries = [
            set(ms(0), "view.rows", ["a", "x"]), change(ms(10), "view.rows", .removed(at: 1)),
            change(ms(10), "view.rows", .inserted(at: 1, "c")), change(ms(20), "view.rows", .inserted(at: 1, "b")),
        ]
        #expect(judge(.eventually(condition), .atEnd, entries, end: ms(50)).outcome == .pass)
    }

    @Test("The same observable of two clients counts as two observables")
    func clients() {
        let entries = [set(ms(0), "connection.state", "connected").of("anna")]
        for (name, outcome) in [("anna", Outcome.pass), ("ben", .fail)] {
            let condition = level("connection.state", "connected", of: .one(ClientID(name)))
            #expect(judge(.eventually(condition), .atEnd, entries, end: ms(50)).outcome == outcome)
        }
        // An observable of the server belongs to no client, so only a predicate on any client matches it.
        let ofServer = [set(ms(0), "server.load", 3).ofNoClient]
        #expect(judge(.eventually(level("server.load", 3, of: .any)), .atEnd, ofServer, end: ms(50)).outcome == .pass)
        #expect(judge(.eventually(level("server.load", 3)), .atEnd, ofServer, end: ms(50)).outcome == .fail)
    }
}

@Suite struct GroupTests {
    private let crowd = ["anna", "ben", "carl"].map { ClientID($0) }
    private let formula = Formula.leadsTo(
        when: .event(EventPattern("server.started")),
        then: level("connection.state", "connected", of: .each)
    )

    private func judged(_ times: [Instant]) -> Verdict {
        let entries =
            [event(ms(100), "server.started")]
            + zip(crowd, times).map { set($0.1, "connection.state", "connected").of($0.0.name) }
        return judge(
            formula,
            .run,
            within: .seconds(1),
            entries.sorted { $0.time < $1.time },
            end: ms(5000),
            clients: crowd
        )
    }

    @Test("A condition on a group must hold for each client of the group")
    func each() {
        #expect(judged([ms(200), ms(300), ms(1100)]).outcome == .pass)
        let verdict = judged([ms(200), ms(1101), ms(1100, 1)])
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.reason.text
                == "ben: ben.connection.state was never reported; expected connected within 1s of server.started at "
                + "0.100 (and likewise 1 more of 3 clients)"
        )
    }

    @Test("Events of the server count for every client, and events of a client only for that client")
    func own() {
        let formula = Formula.count(.event(EventPattern("client.attempt.began", of: .each)), .exactly(1), inAny: nil)
        func attempt(_ name: String) -> Entry { event(ms(10), "client.attempt.began").of(name) }
        let once = crowd.map { attempt($0.name) }
        #expect(judge(formula, once, end: ms(50), clients: crowd).outcome == .pass)
        #expect(judge(formula, once + [attempt("ben")], end: ms(50), clients: crowd).outcome == .fail)
        #expect(judge(formula, Array(once.dropLast()), end: ms(50), clients: crowd).outcome == .fail)
        let all = Formula.count(.event(EventPattern("client.attempt.began")), .exactly(3), inAny: nil)
        #expect(judge(all, once, end: ms(50), clients: crowd).outcome == .pass)
    }

    @Test("A condition on an empty group is inconclusive")
    func empty() {
        let verdict = judge(
            formula,
            .run,
            within: .seconds(1),
            [event(ms(1), "server.started")],
            end: ms(5000),
            clients: []
        )
        #expect(verdict.outcome == .inconclusive)
        #expect(verdict.reason.text == "the expectation applies to no client")
    }

    @Test(
        "Several events at one instant are each judged with the state at their position in the trace",
        arguments: [(4, Outcome.pass), (2, .fail)]
    )
    func eventsWithState(number: Int, outcome: Outcome) {
        let sent = Condition(event: EventPattern("client.sent.send"), state: state("connection.state", "connected"))
        let entries = [
            set(ms(0), "connection.state", "connected"), event(ms(10), "client.sent.send"),
            event(ms(10), "client.sent.send"), event(ms(20), "client.sent.send"), event(ms(20), "client.sent.send"),
            event(ms(30), "client.sent.send"), set(ms(30), "connection.state", "offline"),
        ]
        #expect(judge(.count(sent, .exactly(number), inAny: nil), entries, end: ms(90)).outcome == outcome)
        #expect(judge(.count(sent, .atMost(number), inAny: nil), entries, end: ms(90)).outcome == outcome)
    }

    @Test("An event with a condition on the state counts even if its scope closes later at the same instant")
    func eventWithStateBeforeClosing() {
        let sent = Condition(event: EventPattern("client.sent.send"), state: state("connection.state", "connected"))
        let entries = [
            set(ms(0), "connection.state", "connected"), event(ms(10), "client.sent.send"),
            event(ms(10), "client.woke"), event(ms(10), "client.sent.send"),
        ]
        let scope = Scope.before(happens("client.woke"))
        #expect(judge(.count(sent, .exactly(1), inAny: nil), scope, entries, end: ms(90)).outcome == .pass)
    }

    @Test("A response at the same instant as its trigger counts even if the trigger has a condition on the state")
    func triggerWithState() {
        let sent = Condition(event: EventPattern("client.sent.send"), state: state("connection.state", "connected"))
        let formula = Formula.leadsTo(when: sent, then: happens("client.received.ack"))
        let entries = [
            set(ms(0), "connection.state", "connected"), event(ms(10), "client.sent.send"),
            event(ms(10), "client.received.ack"),
        ]
        #expect(judge(formula, within: .zero, entries, end: ms(90)).outcome == .pass)
        let before = [entries[0], entries[2], entries[1]]
        #expect(judge(formula, within: .zero, before, end: ms(90)).outcome == .fail)
    }
}
