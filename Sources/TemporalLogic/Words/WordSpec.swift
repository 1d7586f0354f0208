/// One word of `expect` as the scenario language defines it: its name, its keys, and how they make a formula.
///
/// The reader, the JSON schema and `squall explain` are views of the table ``all``.
package struct WordSpec: Sendable {
    /// The words of the language, in the order in which the documentation lists them.
    package static let all: [WordSpec] = [
        EventuallyWord.spec,
        AlwaysWord.spec,
        NeverWord.spec,
        UntilWord.spec,
        LeadsToWord.spec,
        InOrderWord.spec,
        CountWord.spec,
        TransitionsWord.spec,
        DeliveredWord.spec,
        SameWord.spec,
    ]

    package static func named(_ name: String) -> WordSpec? { all.first { $0.name == name } }

    /// The form of the word's value in a scenario.
    package enum Body: Hashable, Sendable {
        /// A mapping of the word's keys.
        case keys
        /// A condition, whose mapping may hold the word's keys as well. The formula finds it under ``WordSpec/body``.
        case condition
        /// A condition that must be a state; otherwise like `condition`.
        case state
    }

    /// How the word is limited in time.
    package enum Bound: Hashable, Sendable {
        /// `within`; without it the scenario's default applies.
        case required
        /// `within`; without it the scenario's default applies, but the word can be judged without a bound.
        case defaulted
        /// `within`; without it there is no bound.
        case optional
        /// `for`, how long something must last; without it, to the end of the scope.
        case lasting

        /// The key that states the bound.
        package var key: String { self == .lasting ? "for" : "within" }
        /// Whether the scenario's default bound applies to an expectation that does not state one.
        package var hasDefault: Bool { self == .required || self == .defaulted }
    }

    /// The meaning of `at: end` for the word.
    package enum AtEnd: Hashable, Sendable {
        /// The word cannot be judged at a single instant.
        case refused
        /// The word is judged at the run's last instant; its conditions must be states, and it takes no bound.
        case lastInstant
        /// The word is judged at the end in any case, over the whole run.
        case wholeRun
    }

    /// The argument's name under which a formula finds a body that is a condition.
    package static let body = "body"

    package let name: String
    /// An example of the word's value.
    package let form: String
    /// One sentence.
    package let meaning: String
    package var body = Body.keys
    /// The word's own keys, in the order written; the bound and the scope are not among them.
    package var keys: [WordKey] = []
    package let bound: Bound
    package var atEnd = AtEnd.refused
    /// Creates the formula; nil if an argument is missing or does not have the type that its key yields.
    package let formula: @Sendable (WordArguments) -> Formula?

    /// The names of the word's keys and of its bound.
    package var keyNames: [String] { keys.map(\.name) + [bound.key] }
}

/// A key of a word of `expect`: its name, the kind of its value, and its meaning.
package struct WordKey: Sendable {
    /// The kind of a key's value in a scenario, with the type of the argument that a formula gets for it.
    package enum Kind: Hashable, Sendable {
        /// An event, a state, or an event while a state holds. A `Condition`.
        case condition
        /// Observables with their values. A `StateCondition`.
        case state
        /// At least two conditions. `[Condition]`.
        case conditions
        /// One observable. An `ObservableReference`.
        case observable
        /// Two observables that can be equal. `[ObservableReference]`, of two.
        case observablePair
        /// At least one value of the word's observable. `[ValuePredicate]`.
        case values
        /// `true` or `false`. A `Bool`.
        case flag
        /// A positive length of time. A `TimeSpan`.
        case duration
        /// A number in ``CountBound/range``, to which the key adds the kind of bound. A `CountBound`.
        case number(CountBound.Kind)
        /// A number in ``CountBound/range``, or a mapping such as `{ at_most: 2 }`. A `CountBound`.
        case count
        /// A text. A `String`.
        case text
        /// A client or a group; all clients when left out, so that there is always an argument. A `ClientSelector`.
        case client

        /// An example for the documentation.
        package var form: String {
            switch self {
            case .condition: "CONDITION"
            case .state: "STATE"
            case .conditions: "[CONDITION, CONDITION, …]"
            case .observable: "OBSERVABLE"
            case .observablePair: "[OBSERVABLE, OBSERVABLE]"
            case .values: "[connecting, connected]"
            case .flag: "true"
            case .duration: "100ms"
            case .number: "1"
            case .count: "0"
            case .text: "stukov"
            case .client: "anna"
            }
        }
    }

    package enum Presence: Hashable, Sendable {
        case optional
        case required
        /// Exactly one of the word's keys of this presence is required.
        case alternative
    }

    package let name: String
    package let kind: Kind
    package let presence: Presence
    /// One sentence.
    package let meaning: String

    init(_ name: String, _ kind: Kind, _ presence: Presence, _ meaning: String) {
        (self.name, self.kind, self.presence, self.meaning) = (name, kind, presence, meaning)
    }
}

/// The values that a scenario gave to the keys of a word.
package struct WordArguments {
    private var values: [String: any Sendable] = [:]

    package init() {}

    /// The argument of a key; nil when it was left out or has another type.
    package subscript<Value: Sendable>(_ key: String) -> Value? { values[key] as? Value }

    package mutating func set(_ key: String, to value: (some Sendable)?) { values[key] = value }
}
