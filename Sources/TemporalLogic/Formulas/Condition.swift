package import SquallCore

/// An observable with its expected value: `connection.state: connected`.
package struct Level: Hashable, Sendable {
    package var observable: ObservableReference
    package var predicate: ValuePredicate

    package init(_ observable: ObservableReference, _ predicate: ValuePredicate) {
        self.observable = observable
        self.predicate = predicate
    }
}

/// A state, which at every instant holds or does not: the conjunction of its levels.
package struct StateCondition: Hashable, Sendable {
    package var levels: [Level]

    package init(_ levels: [Level]) {
        self.levels = levels
    }
}

/// A pattern of events: `client.backoff.began[hello]#3`.
package struct EventPattern: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package var name: String
        package var predicate: ValuePredicate

        package init(_ name: String, _ predicate: ValuePredicate) {
            self.name = name
            self.predicate = predicate
        }
    }

    /// The name, which matches every name below it as well: `client.sent` matches `client.sent.message`.
    package var name: String
    /// Nil for any key.
    package var key: String?
    package var client: ClientSelector
    /// The number of the event among those of this name, key and client, from 1 over the whole run; nil for any.
    package var ordinal: Int?
    /// Predicates on the event's fields, all of which must hold. They do not affect the counting of an ordinal.
    package var fields: [Field]

    package init(
        _ name: String,
        key: String? = nil,
        of client: ClientSelector = .any,
        ordinal: Int? = nil,
        fields: [Field] = []
    ) {
        self.name = name
        self.key = key
        self.client = client
        self.ordinal = ordinal
        self.fields = fields
    }

    /// Whether the pattern's name matches an event's name.
    func covers(_ other: String) -> Bool {
        name == other || name.isAbove(other)
    }
}

/// A condition of an expectation or a wait: an event, a state, or an event while a state holds.
///
/// A state is judged after the last event of an instant. The observables that change together in one step follow each
/// other in the trace, and the states in between were never visible. An event with a state is met when the state holds
/// after the last event of its instant.
package struct Condition: Hashable, Sendable {
    package var event: EventPattern?
    package var state: StateCondition
    /// Delays the moment at which the condition counts as met. Never negative.
    package var offset: TimeSpan

    package init(event: EventPattern?, state: StateCondition = StateCondition([]), offset: TimeSpan = .zero) {
        self.event = event
        self.state = state
        self.offset = max(offset, .zero)
    }

    package static func event(_ pattern: EventPattern, offset: TimeSpan = .zero) -> Condition {
        Condition(event: pattern, offset: offset)
    }

    package static func state(_ levels: Level...) -> Condition {
        Condition(event: nil, state: StateCondition(levels))
    }

    /// Whether the condition is a state, without an event or an offset.
    package var isLevel: Bool { event == nil && offset == .zero }
}
