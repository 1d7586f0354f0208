package import SquallCore

/// An observable with a value that is asked for: `connection.state: connected`.
package struct Level: Hashable, Sendable {
    package var observable: ObservableReference
    package var predicate: ValuePredicate

    package init(_ observable: ObservableReference, _ predicate: ValuePredicate) {
        self.observable = observable
        self.predicate = predicate
    }
}

/// Something that holds or does not at every instant: one level, or several at once.
package struct StateCondition: Hashable, Sendable {
    package var levels: [Level]

    package init(_ levels: [Level]) {
        self.levels = levels
    }
}

/// Events that are meant: `client.backoff.began[hello]#3`.
package struct EventPattern: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package var name: String
        package var predicate: ValuePredicate

        package init(_ name: String, _ predicate: ValuePredicate) {
            self.name = name
            self.predicate = predicate
        }
    }

    /// Matches itself and every name below it: `client.sent` means `client.sent.message` too.
    package var name: String
    /// Nil where any will do.
    package var key: String?
    package var client: ClientSelector
    /// Which of the events of this name, key and client, counted from 1 over the whole run; nil for each of them.
    package var ordinal: Int?
    /// All must hold.
    ///
    /// With an ordinal, they are asked of that event, and do not change the counting.
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

    /// Whether events of this name can be meant.
    func covers(_ other: String) -> Bool {
        name == other || name.isAbove(other)
    }
}

/// What an expectation waits for or counts from: an event, a state, or an event while a state holds.
///
/// A state is judged after the last event of an instant. An observable changes at most once a step, but several steps may
/// share an instant, and the observables that change together in one step follow each other in the trace: what is
/// between them was shown to nobody. An event with a state is met when, after the last event of its instant, the
/// state holds.
package struct Condition: Hashable, Sendable {
    package var event: EventPattern?
    package var state: StateCondition
    /// Moves the moment at which the condition counts as met.
    ///
    /// Negative ones count as zero.
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

    /// Whether it is a mere state, which holds or does not at every instant.
    package var isLevel: Bool { event == nil && offset == .zero }
}
