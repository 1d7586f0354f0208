import ReferenceClient
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests predicates on the values of observables and event fields.
@Suite struct PredicateTests {
    private func level(_ text: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws
        -> ObservablePredicate
    {
        let found = try expectation("eventually: { \(text) }", sourceLocation: sourceLocation)
        return try #require(found.formula.conditions.first?.state.levels.first, sourceLocation: sourceLocation)
    }

    private func predicate(
        _ text: String,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws -> ValuePredicate {
        try level(text, sourceLocation: sourceLocation).predicate
    }

    @Test("A plain value is compared as a value of the observable's type")
    func plainValues() throws {
        #expect(try predicate("connection.state: offline") == .equals("offline"))
        #expect(try predicate("connection.state: \"offline\"") == .equals("offline"))
        #expect(try predicate("network.reachable: off") == .equals(false))
        #expect(try predicate("network.reachable: true") == .equals(true))
        #expect(try predicate("outbox.count: 3") == .equals(3))
        #expect(try predicate("outbox.count: -3") == .equals(-3))
        #expect(try predicate("connection.rtt: 5ms") == .duration(.milliseconds(5)))
        #expect(try predicate("view.rows: [hello]") == .equals(["hello"]))
        #expect(try predicate("view.rows: []") == .equals([]))
        #expect(try predicate("\"peer.typing[stukov]\": [anna, 5]") == .equals(["anna", "5"]))
    }

    /// YAML booleans, numbers and dates are taken as strings when the observable is a string.
    @Test(
        "A text observable accepts every plain YAML value as text",
        arguments: ["off", "no", "1:30", "5", "1.0", "true", "5s", "0x10", "2026-01-01"]
    )
    func textsStayTexts(_ text: String) throws {
        #expect(try predicate("toast.text: \(text)") == .equals(.string(text)))
    }

    @Test("null matches an observable that shows nothing")
    func nothingShown() throws {
        #expect(try predicate("toast.text: null") == .equals(.null))
        #expect(try predicate("toast.text: ~") == .equals(.null))
        #expect(try predicate("outbox.count: null") == .equals(.null))
        #expect(try predicate("toast.text: \"null\"") == .equals("null"))
        #expect(try predicate("toast.text: \"\"") == .equals(""))
    }

    @Test("A predicate can use values from the profile")
    func valuesOfTheProfile() throws {
        let profile = Profile()
        #expect(
            try predicate("connection.label: $label.connected") == .equals(.string(profile.client.text.label.connected))
        )
        #expect(try predicate("connection.label: \"$label.connected\"") == .equals("$label.connected"))
        let attempts = profile.client.reconnect.maxAttempts
        #expect(try predicate("connection.attempt: $reconnect.max_attempts - 1") == .equals(.integer(attempts - 1)))
        #expect(
            try predicate("connection.rtt: { at_most: $heartbeat.pong_limit + 500ms }")
                == .atMost(.duration(profile.client.heartbeat.pongLimit + .milliseconds(500)))
        )
    }

    @Test("Predicates can compare numbers and durations")
    func comparisons() throws {
        #expect(try predicate("outbox.count: { exactly: 1 }") == .compares(.exactly, 1))
        #expect(try predicate("outbox.count: { at_least: 1, at_most: 3 }") == .all([.atLeast(1), .atMost(3)]))
        #expect(try predicate("outbox.count: { more_than: 1 }") == .moreThan(1))
        #expect(try predicate("outbox.count: { less_than: 1 }") == .lessThan(1))
        #expect(try predicate("connection.rtt: { less_than: 1s }") == .lessThan(.duration(.seconds(1))))
    }

    @Test("Predicates can match, search, negate and compare texts")
    func texts() throws {
        #expect(try predicate("toast.text: { contains: sync }") == .contains("sync"))
        #expect(try predicate("toast.text: { matches: \"^Rec.*\\\\d+\" }") == .matches(try TextPattern("^Rec.*\\d+")))
        #expect(try predicate("toast.text: { one_of: [a, off] }") == .oneOf(["a", "off"]))
        #expect(try predicate("toast.text: { set: true }") == .set(true))
        #expect(try predicate("toast.text: { set: no }") == .set(false))
        #expect(try predicate("toast.text: { not: { contains: x } }") == .not(.contains("x")))
        #expect(try predicate("toast.text: { not: x }") == .not(.equals("x")))
        #expect(try predicate("connection.state: { one_of: [offline, degraded] }") == .oneOf(["offline", "degraded"]))
        #expect(try predicate("connection.state: { matches: \"^re\" }") == .matches(try TextPattern("^re")))
        #expect(
            try predicate("toast.text: { same_as: banner.text }") == .sameAs(ObservableReference("banner.text"))
        )
    }

    @Test("Predicates can search lists, count their items and check each item")
    func lists() throws {
        #expect(try predicate("view.rows: { contains: hello }") == .contains("hello"))
        #expect(try predicate("view.rows: { length: 2 }") == .counted(where: nil, .equals(2)))
        #expect(try predicate("view.rows: { length: { at_most: 2 } }") == .counted(where: nil, .atMost(2)))
        #expect(try predicate("view.rows: { each: hello }") == .each(.equals("hello")))
        #expect(try predicate("view.rows: { any: { one_of: [hello] } }") == .any(.oneOf(["hello"])))
        let delivered = ValuePredicate.keyed("message.status", .equals("delivered"))
        let failed = ValuePredicate.keyed("message.status", .equals("failed"))
        let retry = ValuePredicate.keyed("message.retry_available", .equals(true))
        #expect(try predicate("view.rows: { each: { message.status: delivered } }") == .each(delivered))
        #expect(
            try predicate(
                "view.rows: { each: { where: { message.status: failed }, is: { message.retry_available: true } } }"
            ) == .each(where: failed, retry)
        )
        #expect(
            try predicate("view.rows: { any: { where: { message.status: failed }, is: hello } }")
                == .any(where: failed, .equals("hello"))
        )
        #expect(
            try predicate("view.rows: { length: { where: { message.status: failed }, is: 0 } }")
                == .counted(where: failed, .equals(0))
        )
        #expect(
            try predicate("view.rows: { each: { message.status: delivered, message.retry_available: false } }")
                == .each(.all([delivered, .keyed("message.retry_available", .equals(false))]))
        )
    }

    @Test("The key * selects all keys with 'each' and any key with 'any'")
    func allKeysAndAnyKey() throws {
        let all = try level("\"message.status[*]\": { each: delivered }")
        #expect(all.observable == ObservableReference("message.status", key: .every))
        #expect(all.predicate == .equals("delivered"))
        let any = try level("\"message.status[*]\": { any: { not: delivered } }")
        #expect(any.observable == ObservableReference("message.status", key: .any))
        #expect(any.predicate == .not(.equals("delivered")))
        let nested = try level("\"conversation.messages[*]\": { each: { each: { message.status: delivered } } }")
        #expect(nested.observable.key == .every)
        #expect(nested.predicate == .each(.keyed("message.status", .equals("delivered"))))
    }

    @Test("Predicates can check members of objects")
    func membersOfObjects() throws {
        let found = try level("view.rows: { any: { member: { a: { at_least: 1 } } } }")
        #expect(found.predicate == .any(where: nil, .field("a", .atLeast(1))))
    }

    @Test("A field of an event is compared as a value of the field's type")
    func fieldsOfEventsHaveKinds() throws {
        func field(_ line: String) throws -> ValuePredicate? {
            try expectation("eventually: { \(line) }").formula.conditions.first?.event?.fields.first?.predicate
        }
        #expect(try field("client.connected: { resumed: yes }") == .equals(true))
        #expect(
            try field("client.backoff.began: { delay: { less_than: 30s } }")
                == .compares(.lessThan, .duration(.seconds(30)))
        )
        #expect(try field("server.sent.draining: { retry_after: 5s }") == .duration(.seconds(5)))
        #expect(try field("client.received.hello: { version: 10 }") == .equals("10"))
        #expect(try field("client.notified: { presentation: [banner] }") == .equals(["banner"]))
        // `client.received` is a prefix shared by several events, so a predicate on it can use the fields of them all.
        #expect(try field("client.received: { duplicate: no }") == .equals(false))
    }
}
