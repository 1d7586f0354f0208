import SquallCore

/// The claim that an expectation makes about a run: a temporal operator with its arguments.
///
/// The operators come from Dwyer's property patterns, LTL, SystemVerilog assertions and Jepsen's checkers. Each
/// operator is a ``TemporalOperator`` in its own file, which also declares the function that creates its formula, such
/// as `.eventually(condition)`. `Formula` erases the operator's type.
package struct Formula: Hashable, Sendable {
    let claim: any TemporalOperator

    init(_ claim: some TemporalOperator) {
        self.claim = claim
    }

    package static func == (left: Formula, right: Formula) -> Bool {
        AnyHashable(left.claim) == AnyHashable(right.claim)
    }

    package func hash(into hasher: inout Hasher) { claim.hash(into: &hasher) }

    var spec: OperatorSpec { type(of: claim).spec }

    /// The operator's name in scenarios, such as `leads_to`.
    package var word: String { spec.name }

    /// The conditions that the monitor tracks; the monitor refers to a condition by its index in this array.
    package var conditions: [Condition] { claim.conditions }

    /// All conditions that the formula reads: its own, and those that its monitor reads directly.
    var reads: [Condition] { claim.conditions + claim.reads }

    /// All predicates on event fields and observables, in the order written.
    package var predicates: [ValuePredicate] {
        reads.flatMap { ($0.event?.fields.map(\.predicate) ?? []) + $0.state.levels.map(\.predicate) }
    }
}

/// An `expect` operator with its arguments from the scenario, such as `leads_to` with its trigger and response.
///
/// To add an operator, declare a type in the folder `Operators` and list its ``spec`` in ``OperatorSpec/all``.
protocol TemporalOperator: Hashable, Sendable {
    /// The operator's name, keys and rules in the scenario language.
    static var spec: OperatorSpec { get }

    /// The conditions that the monitor tracks; the monitor refers to a condition by its index in this array.
    var conditions: [Condition] { get }

    /// The events and observables that the monitor reads directly, in addition to its conditions.
    ///
    /// No ``ConditionTracker`` is created for them: only their names, keys, clients and predicates are used.
    var reads: [Condition] { get }

    /// The optional names in ``reads``: the operator can be evaluated even for a client that does not report them.
    var optionalNames: Set<String> { get }

    /// The condition whose occurrences start the time limit; nil if the limit runs from the start of the scope.
    var trigger: Condition? { get }

    /// The condition that satisfies the claim as soon as it is met; nil if no single condition does.
    var goal: Condition? { get }

    /// Returns one message for each reason why the operator can never be evaluated with these arguments.
    func problems(bound: TimeSpan?) -> [String]

    /// The numbers and durations that the operator checks in addition to its conditions and the bound.
    var checkedQuantities: [Quantity] { get }

    /// Creates the state machine that evaluates the operator for one client.
    func monitor(_ limit: Limit) -> any OperatorMonitor

    /// Returns observations that would violate the claim, for the ``Prover`` to insert; empty if only a missing
    /// observation can violate it.
    func violations(for client: ClientID?) -> [Violation]
}

extension TemporalOperator {
    var conditions: [Condition] { [] }
    var reads: [Condition] { [] }
    var optionalNames: Set<String> { [] }
    var trigger: Condition? { nil }
    var goal: Condition? { nil }
    var checkedQuantities: [Quantity] { [] }
    func problems(bound: TimeSpan?) -> [String] { [] }
    func violations(for client: ClientID?) -> [Violation] { [] }
}
