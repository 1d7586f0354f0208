/// The definition of an `expect` operator in the scenario language: its name, its keys, and the formula built from
/// them.
///
/// The scenario parser, the JSON schema and `squall explain` all use the table ``all``.
package struct OperatorSpec: Sendable {
    /// The operators of the language, in documentation order.
    package static let all: [OperatorSpec] = [
        EventuallyOperator.spec,
        AlwaysOperator.spec,
        NeverOperator.spec,
        UntilOperator.spec,
        LeadsToOperator.spec,
        InOrderOperator.spec,
        CountOperator.spec,
        TransitionsOperator.spec,
        DeliveredOperator.spec,
        SameOperator.spec,
    ]

    package static func named(_ name: String) -> OperatorSpec? { all.first { $0.name == name } }

    /// The form of the operator's value in a scenario.
    package enum Body: Hashable, Sendable {
        /// A mapping that contains the operator's keys.
        case keys
        /// A condition whose mapping may also contain the operator's keys. It is passed to the formula under the name
        /// ``OperatorSpec/body``.
        case condition
        /// Like `condition`, but the condition must be a state.
        case state
    }

    /// The time bound of an operator.
    package enum Bound: Hashable, Sendable {
        /// The key `within`. If it is omitted, the scenario's default bound applies.
        case required
        /// The key `within`. If it is omitted, the scenario's default bound applies, even though the operator could be
        /// evaluated without a bound.
        case defaulted
        /// The key `within`. If it is omitted, there is no bound.
        case optional
        /// The key `for`, which says how long the claim must hold. If it is omitted, the claim must hold to the end of
        /// the scope.
        case lasting

        /// The name of the key that sets the bound.
        package var key: String { self == .lasting ? "for" : "within" }
        /// Whether the scenario's default bound applies to an expectation that does not state one.
        package var hasDefault: Bool { self == .required || self == .defaulted }
    }

    /// The meaning of `at: end` for the operator.
    package enum AtEnd: Hashable, Sendable {
        /// The operator cannot be evaluated at a single instant.
        case refused
        /// The operator is evaluated at the run's last instant. Its conditions must be states, and it takes no bound.
        case lastInstant
        /// The operator is always evaluated at the end, over the whole run.
        case wholeRun
    }

    /// The name of the argument that contains the condition, for an operator whose value is a condition.
    package static let body = "body"

    package let name: String
    /// An example of the operator's value.
    package let form: String
    /// The operator's meaning, in one sentence.
    package let meaning: String
    package var body = Body.keys
    /// The operator's own keys, in documentation order; the keys of the bound and of the scope are not included.
    package var keys: [OperatorKey] = []
    package let bound: Bound
    package var atEnd = AtEnd.refused
    /// Creates the formula; returns nil if an argument is missing or has the wrong type for its key.
    package let formula: @Sendable (OperatorArguments) -> Formula?

    /// The names of the operator's keys and of its bound.
    package var keyNames: [String] { keys.map(\.name) + [bound.key] }
}

/// A key of an `expect` operator: its name, the kind of its value, and its meaning.
package struct OperatorKey: Sendable {
    /// The kind of a key's value in a scenario, with the type of the argument that the formula receives for it.
    package enum Kind: Hashable, Sendable {
        /// An event, a state, or an event while a state holds; passed as a `Condition`.
        case condition
        /// Observables with their values; passed as a `StateCondition`.
        case state
        /// At least two conditions; passed as a `[Condition]`.
        case conditions
        /// One observable; passed as an `ObservableReference`.
        case observable
        /// Two observables to compare; passed as an `[ObservableReference]` with two elements.
        case observablePair
        /// At least one value of the operator's observable; passed as a `[ValuePredicate]`.
        case values
        /// `true` or `false`; passed as a `Bool`.
        case flag
        /// A positive duration; passed as a `TimeSpan`.
        case duration
        /// A number in ``CountBound/range``; passed as a `CountBound` of the key's kind.
        case number(CountBound.Kind)
        /// A number in ``CountBound/range``, or a mapping such as `{ at_most: 2 }`; passed as a `CountBound`.
        case count
        /// A string; passed as a `String`.
        case text
        /// A client or a group, passed as a `ClientSelector`. If the key is omitted, the argument selects all clients,
        /// so there is always an argument.
        case client

        /// An example of a value, for the documentation.
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
        /// The key is one of several alternatives, of which a scenario must contain exactly one.
        case alternative
    }

    package let name: String
    package let kind: Kind
    package let presence: Presence
    /// The key's meaning, in one sentence.
    package let meaning: String

    init(_ name: String, _ kind: Kind, _ presence: Presence, _ meaning: String) {
        (self.name, self.kind, self.presence, self.meaning) = (name, kind, presence, meaning)
    }
}

/// The arguments that a scenario gives to an operator, by key.
package struct OperatorArguments {
    private var values: [String: any Sendable] = [:]

    package init() {}

    /// The argument of a key; nil if it was omitted or has another type.
    package subscript<Value: Sendable>(_ key: String) -> Value? { values[key] as? Value }

    package mutating func set(_ key: String, to value: (some Sendable)?) { values[key] = value }
}
