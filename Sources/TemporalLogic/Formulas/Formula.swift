import SquallCore

/// The claim that an expectation makes about a run: a word of the scenario language with the values it was given.
///
/// The words come from Dwyer's property patterns, LTL, SystemVerilog assertions and Jepsen's checkers. Each word is an
/// ``ExpectationWord`` in a file of its own, which also declares the function that creates its formula, such as
/// `.eventually(condition)`. A formula erases the word's type.
package struct Formula: Hashable, Sendable {
    let claim: any ExpectationWord

    init(_ claim: some ExpectationWord) {
        self.claim = claim
    }

    package static func == (left: Formula, right: Formula) -> Bool {
        AnyHashable(left.claim) == AnyHashable(right.claim)
    }

    package func hash(into hasher: inout Hasher) { claim.hash(into: &hasher) }

    var spec: WordSpec { type(of: claim).spec }

    /// Whether the claim only forbids, so that a run in which nothing happens satisfies it: `never`, `always`, `same`,
    /// a `count` without a smallest number, and a `delivered` that says nothing about lost messages.
    package var onlyForbids: Bool { claim.onlyForbids }

    /// The word as a scenario writes it: `leads_to`.
    package var word: String { spec.name }

    /// The conditions that the monitor follows; their places are the monitor's condition numbers.
    package var conditions: [Condition] { claim.conditions }

    /// Everything that the formula reads: its conditions, and what its monitor reads by itself.
    var reads: [Condition] { claim.conditions + claim.reads }

    /// Every predicate on an event's field or an observable, in the order written.
    package var predicates: [ValuePredicate] {
        reads.flatMap { ($0.event?.fields.map(\.predicate) ?? []) + $0.state.levels.map(\.predicate) }
    }
}

/// A word of `expect` with the values that a scenario gave it, such as `leads_to` with its trigger and its answer.
///
/// To add a word: declare a type like these in `Words`, and list its ``spec`` in ``WordSpec/all``.
protocol ExpectationWord: Hashable, Sendable {
    /// The word's name, keys and rules.
    static var spec: WordSpec { get }

    /// The conditions that the monitor follows; their places are the monitor's condition numbers.
    var conditions: [Condition] { get }

    /// The events and observables that the monitor reads by itself, besides its conditions. They are not tracked; only
    /// their names, keys, clients and predicates matter.
    var reads: [Condition] { get }

    /// The names among ``reads`` that the word can be judged without, for a client that does not show them.
    var optionalNames: Set<String> { get }

    /// The condition that the bound counts from; nil when it counts from the start of the scope.
    var trigger: Condition? { get }

    /// The last condition that the word waits for and ends with; nil when it judges the whole scope.
    var goal: Condition? { get }

    /// Why the word can never be judged with these values, one message per mistake.
    func problems(bound: TimeSpan?) -> [String]

    /// Whether a run in which nothing happens satisfies the claim.
    var onlyForbids: Bool { get }

    /// The numbers and lengths of time that the word checks by itself, besides its conditions and the bound.
    var figures: [Quantity] { get }

    /// The state machine that judges the word for one client.
    func monitor(_ limit: Limit) -> any WordMonitor

    /// Observations that would break the claim, for the prover to insert; empty when the claim only breaks by omission.
    func violations(for client: ClientID?) -> [Violation]
}

extension ExpectationWord {
    var conditions: [Condition] { [] }
    var reads: [Condition] { [] }
    var optionalNames: Set<String> { [] }
    var trigger: Condition? { nil }
    var goal: Condition? { nil }
    var onlyForbids: Bool { false }
    var figures: [Quantity] { [] }
    func problems(bound: TimeSpan?) -> [String] { [] }
    func violations(for client: ClientID?) -> [Violation] { [] }
}
