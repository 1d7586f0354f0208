import ReferenceClient
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests every operator of `expect`, with its scopes and options.
@Suite struct ExpectationTests {
    private let isConnected = Condition.state(connected)
    private let dropped = Condition.event(EventPattern("client.disconnected"))
    private let came = Condition.event(EventPattern("client.connected"))
    private let bound = Profile().expectWithin

    private func check(
        _ line: String,
        _ formula: Formula,
        scope: Scope = .run,
        bound: TimeSpan? = nil,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let found = try expectation(line, sourceLocation: sourceLocation)
        #expect(found.formula == formula, sourceLocation: sourceLocation)
        #expect(found.scope == scope, sourceLocation: sourceLocation)
        #expect(found.bound == bound, sourceLocation: sourceLocation)
        #expect(found.clients == [.only], sourceLocation: sourceLocation)
        #expect(found.location.description == "test.yaml:7:5", sourceLocation: sourceLocation)
    }

    // MARK: - Operators

    @Test("'eventually' takes a state or an event, with and without a bound")
    func eventually() throws {
        try check(
            "eventually: { connection.state: connected, within: 20s }",
            .eventually(isConnected),
            bound: .seconds(20)
        )
        try check("eventually: { connection.state: connected }", .eventually(isConnected), bound: bound)
        try check("eventually: client.connected", .eventually(came), bound: bound)
        try check("{ eventually: client.connected, within: 5s }", .eventually(came), bound: .seconds(5))
        try check("eventually: { client.connected: {}, within: 5s }", .eventually(came), bound: .seconds(5))
        try check("eventually: { client.connected: , within: 5s }", .eventually(came), bound: .seconds(5))
    }

    @Test("'always' takes a state, with and without a duration")
    func always() throws {
        try check(
            "always: { connection.state: connected, for: 10s }",
            .always(StateCondition([connected])),
            bound: .seconds(10)
        )
        try check("always: { connection.state: connected }", .always(StateCondition([connected])))
    }

    @Test("'never' takes a state or an event, with and without a duration")
    func never() throws {
        try check("never: { connection.state: connected }", .never(isConnected))
        try check("never: client.connected", .never(came))
        try check("never: { client.connected: {}, for: 3s }", .never(came), bound: .seconds(3))
    }

    @Test("'until' takes a state that must hold and a condition that releases it")
    func until() throws {
        try check(
            "until: { hold: { connection.state: connected }, release: client.disconnected, within: 9s }",
            .until(StateCondition([connected]), dropped),
            bound: .seconds(9)
        )
    }

    @Test("'leads_to' takes a trigger, a response and a bound")
    func leadsTo() throws {
        try check(
            "leads_to: { when: client.disconnected, then: { connection.state: connected }, within: 1s }",
            .leadsTo(when: dropped, then: isConnected),
            bound: .seconds(1)
        )
    }

    @Test("'in_order' takes a list of conditions and may be strict")
    func inOrder() throws {
        let line = "in_order: { of: [client.disconnected, { connection.state: connected }], "
        try check(line + "strict: true }", .inOrder([dropped, isConnected], strict: true), bound: bound)
        try check(line + "within: 2s }", .inOrder([dropped, isConnected], strict: false), bound: .seconds(2))
    }

    @Test("'count' takes limits, windows and values from the profile")
    func count() throws {
        try check("count: { of: client.connected, exactly: 1 }", .count(came, .exactly(1), inAny: nil))
        try check("count: { of: client.connected, at_least: 2 }", .count(came, .atLeast(2), inAny: nil))
        try check(
            "count: { of: { connection.state: connected }, at_most: 3, in_any: 100ms }",
            .count(isConnected, .atMost(3), inAny: .milliseconds(100))
        )
        try check(
            "count: { of: client.connected, at_most: 2, within: 5s }",
            .count(came, .atMost(2), inAny: nil),
            bound: .seconds(5)
        )
        try check(
            "count: { of: client.connected, at_most: $reconnect.max_attempts + 1 }",
            .count(came, .atMost(Int(Profile().client.reconnect.maxAttempts) + 1), inAny: nil)
        )
    }

    @Test("'transitions' takes the values of an observable in order")
    func transitions() throws {
        let state = ObservableReference("connection.state")
        try check(
            "transitions: { of: connection.state, are: [connecting, { one_of: [degraded, connected] }], "
                + "exhaustive: yes }",
            .transitions(of: state, are: [.equals("connecting"), .oneOf(["degraded", "connected"])], exhaustive: true)
        )
        try check(
            "transitions: { of: outbox.count, are: [1, 0] }",
            .transitions(of: ObservableReference("outbox.count"), are: [.equals(1), .equals(0)], exhaustive: false)
        )
        try check(
            "transitions: { of: outbox.count, are: [1], within: 5s }",
            .transitions(of: ObservableReference("outbox.count"), are: [.equals(1)], exhaustive: false),
            bound: .seconds(5)
        )
    }

    @Test("'delivered' takes a limit for each kind of delivery failure")
    func delivered() throws {
        try check(
            "delivered: { conversation: stukov, lost: 0, duplicated: { at_most: 1 }, "
                + "unexpected: 0, stale: 0, reordered: 0 }",
            .delivered(
                Delivery(
                    conversation: "stukov",
                    lost: .exactly(0),
                    duplicated: .atMost(1),
                    unexpected: .exactly(0),
                    stale: .exactly(0),
                    reordered: .exactly(0)
                )
            ),
            bound: bound
        )
        try check("delivered: { lost: 0 }", .delivered(Delivery(conversation: nil, lost: .exactly(0))), bound: bound)
        try check(
            "delivered: { stale: 0, within: 2s }",
            .delivered(Delivery(conversation: nil, stale: .exactly(0))),
            bound: .seconds(2)
        )
    }

    @Test("'same' takes two observables")
    func same() throws {
        let one = ObservableReference("view.rows")
        let other = ObservableReference("conversation.messages", key: .one("stukov"))
        try check("same: { of: [view.rows, \"conversation.messages[stukov]\"] }", .same(one, other))
        try check(
            "same: { of: [view.rows, \"conversation.messages[stukov]\"], within: 1s }",
            .same(one, other),
            bound: .seconds(1)
        )
    }

    // MARK: - Scopes and options

    @Test("An expectation takes one of the scopes after, before, between, during and at")
    func scopes() throws {
        let line = "never: { connection.state: connected, "
        try check(line + "after: client.disconnected }", .never(isConnected), scope: .after(dropped))
        try check(line + "before: { client.disconnected: {} } }", .never(isConnected), scope: .before(dropped))
        try check(
            line + "between: [client.disconnected, client.connected] }",
            .never(isConnected),
            scope: .between(dropped, came)
        )
        try check(line + "during: tunnel }", .never(isConnected), scope: .during(fault: "tunnel"))
        try check(line + "at: end }", .never(isConnected), scope: .atEnd)
        try check("{ never: { connection.state: connected }, at: end }", .never(isConnected), scope: .atEnd)
        try check("eventually: { connection.state: connected, at: end }", .eventually(isConnected), scope: .atEnd)
        try check(
            "never: { connection.state: connected, after: client.disconnected#2 + 3s }",
            .never(isConnected),
            scope: .after(.event(EventPattern("client.disconnected", ordinal: 2), offset: .seconds(3)))
        )
    }

    @Test("An expectation takes a name and the catalogue rows that it covers")
    func rowsAndNames() throws {
        let found = try expectation(
            "eventually: { connection.state: connected, covers: [UX-2.5a, WS-11e], name: It comes back }"
        )
        #expect(found.covers == ["UX-2.5a", "WS-11e"])
        #expect(found.name == "It comes back")
        #expect(try expectation("{ never: client.gave_up, covers: PO-V1 }").covers == ["PO-V1"])
    }

    @Test(
        "'covers' accepts every form of row id",
        arguments: ["UX-1.1a", "UX-X3", "PO-V1", "PN-12", "FL-26", "WS-4a", "WS-M1", "PO-1.1g"]
    )
    func rowsOfTheCatalogue(_ row: String) throws {
        #expect(try expectation("{ never: client.gave_up, covers: [\(row)] }").covers == [row])
    }

    // MARK: - Conditions

    @Test("Several conditions in one mapping must hold together")
    func severalThatHoldTogether() throws {
        let outbox = ObservablePredicate(ObservableReference("outbox.count"), .equals(0))
        try check(
            "eventually: { connection.state: connected, outbox.count: 0 }",
            .eventually(.state(connected, outbox)),
            bound: bound
        )
        let event = Condition(event: EventPattern("client.connected"), state: StateCondition([outbox]))
        try check("eventually: { client.connected: {}, outbox.count: 0 }", .eventually(event), bound: bound)
    }

    @Test("An event pattern can compare the event's fields")
    func fieldsOfEvents() throws {
        let pattern = EventPattern(
            "client.backoff.began",
            fields: [
                EventPattern.Field("attempt", .atLeast(3)),
                EventPattern.Field("delay", .all([.atLeast(.duration(.seconds(1))), .atMost(.duration(.seconds(2)))])),
            ]
        )
        try check(
            "eventually: { client.backoff.began: { attempt: { at_least: 3 }, delay: { at_least: 1s, at_most: 2s } } }",
            .eventually(.event(pattern)),
            bound: bound
        )
        let kinds = EventPattern(
            "server.sent.confirm",
            key: "hello",
            fields: [EventPattern.Field("duplicate", .equals(true)), EventPattern.Field("sequence", .equals(7))]
        )
        try check(
            "eventually: { \"server.sent.confirm[hello]\": { duplicate: true, sequence: 7 } }",
            .eventually(.event(kinds)),
            bound: bound
        )
    }

    @Test("An event pattern selects events by name prefix and key")
    func eventsBelowAName() throws {
        try check("never: client.sent", .never(.event(EventPattern("client.sent"))))
        try check("never: \"client.sent[hello]\"", .never(.event(EventPattern("client.sent", key: "hello"))))
        try check("never: \"server.stored[*]\"", .never(.event(EventPattern("server.stored"))))
        try check("never: \"user.send[hello]\"", .never(.event(EventPattern("user.send", key: "hello"))))
        try check("never: \"fault.began[tunnel]\"", .never(.event(EventPattern("fault.began", key: "tunnel"))))
    }
}
