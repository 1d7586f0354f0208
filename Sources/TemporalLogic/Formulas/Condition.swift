package import SquallCore

/// A predicate on the value of one observable, such as `connection.state: connected`.
package struct ObservablePredicate: Hashable, Sendable {
    package var observable: ObservableReference
    package var predicate: ValuePredicate

    package init(_ observable: ObservableReference, _ predicate: ValuePredicate) {
        self.observable = observable
        self.predicate = predicate
    }
}

/// A conjunction of predicates on observables that is either true or false at each instant of a run.
package struct StateCondition: Hashable, Sendable {
    package var levels: [ObservablePredicate]

    package init(_ levels: [ObservablePredicate]) {
        self.levels = levels
    }
}

/// A pattern that matches events, such as `client.backoff.began[hello]#3`.
package struct EventPattern: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package var name: String
        package var predicate: ValuePredicate

        package init(_ name: String, _ predicate: ValuePredicate) {
            self.name = name
            self.predicate = predicate
        }
    }

    /// The event name. It also matches every name below it: `client.sent` matches `client.sent.message`.
    package var name: String
    /// The event's key; nil matches events with any key or none.
    package var key: String?
    package var client: ClientSelector
    /// The ordinal of the event among all events of the run with this name, key and client, counted from 1; nil matches
    /// every such event.
    package var ordinal: Int?
    /// Predicates on the event's fields, all of which must hold. An event that does not satisfy them still counts
    /// toward ``ordinal``.
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

    /// Returns whether the pattern's name matches the event name `other`.
    func covers(_ other: String) -> Bool {
        name == other || name.isAbove(other)
    }
}

/// A condition in an expectation or a wait: an event, a state, or an event while a state holds.
///
/// A state is evaluated after the last event of an instant. Observables that change together in one step appear in the
/// trace as separate events with the same timestamp, so the states between these events were never visible. A condition
/// that combines an event with a state is met if the state holds at the end of the event's instant.
package struct Condition: Hashable, Sendable {
    package var event: EventPattern?
    package var state: StateCondition
    /// The delay before the condition counts as met, measured from the event or from the change that makes the state
    /// true; never negative.
    package var offset: TimeSpan

    package init(event: EventPattern?, state: StateCondition = StateCondition([]), offset: TimeSpan = .zero) {
        self.event = event
        self.state = state
        self.offset = max(offset, .zero)
    }

    package static func event(_ pattern: EventPattern, offset: TimeSpan = .zero) -> Condition {
        Condition(event: pattern, offset: offset)
    }

    package static func state(_ levels: ObservablePredicate...) -> Condition {
        Condition(event: nil, state: StateCondition(levels))
    }

    /// Whether the condition consists of a state alone, with neither an event nor an offset.
    package var isStateOnly: Bool { event == nil && offset == .zero }
}
