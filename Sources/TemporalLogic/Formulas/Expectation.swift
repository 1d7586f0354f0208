package import SquallCore

/// A scenario's expectation, in the form that a ``Monitor`` evaluates.
package struct Expectation: Hashable, Sendable {
    package var formula: Formula
    package var scope: Scope
    /// The time allowed, measured from the scope's start or from the trigger; the last instant is included.
    ///
    /// Nil if the operator has no time limit; the expectation is then evaluated until the scope ends.
    package var bound: TimeSpan?
    /// The ids of the audit rows (requirements) that the expectation covers.
    package var covers: [String]
    package var location: SourceLocation
    /// The clients for which an expectation with ``ClientSelector/each`` is evaluated.
    package var clients: [ClientID]
    /// The name that the scenario's author gave the expectation, for reports; nil if it has none.
    package var name: String?

    package init(
        _ formula: Formula,
        scope: Scope = .run,
        bound: TimeSpan? = nil,
        covers: [String] = [],
        location: SourceLocation,
        clients: [ClientID] = [.only]
    ) {
        self.formula = formula
        self.scope = scope
        self.bound = bound.map { max($0, .zero) }
        self.covers = covers
        self.location = location
        self.clients = clients
    }

    /// The reasons why the expectation can never be evaluated, as messages for the scenario's author; empty if it can
    /// be evaluated.
    package var problems: [String] {
        let word = formula.word
        var problems: [String] = []
        if formula.spec.bound == .required, bound == nil, scope != .atEnd {
            problems.append("'\(word)' needs a bound; add 'within'")
        }
        problems += formula.claim.problems(bound: bound)
        if scope == .atEnd {
            if formula.spec.atEnd == .refused {
                problems.append("'\(word)' cannot be judged 'at: end'")
            } else if !formula.conditions.allSatisfy(\.isStateOnly) {
                problems.append("'at: end' needs a state, not an event")
            }
        }
        for condition in formula.conditions + scope.conditions {
            if condition.event == nil, condition.state.levels.isEmpty {
                problems.append("'\(word)' has an empty condition")
            }
            if let ordinal = condition.event?.ordinal, ordinal < 1 {
                problems.append("'#\(ordinal)' names no event; the first one is #1")
            }
        }
        return problems
    }

    /// All conditions that the expectation reads: those of the formula, those of the scope, and those that the
    /// operator's monitor reads directly.
    private var reads: [Condition] { formula.conditions + scope.conditions + formula.claim.reads }

    private var levels: [ObservablePredicate] { reads.flatMap(\.state.levels) }

    /// The names of the observables and events that the expectation reads, without duplicates, in the order written.
    package var names: [String] {
        reads.flatMap { condition in
            (condition.event.map { [$0.name] } ?? [])
                + condition.state.levels.flatMap { [$0.observable.name] + $0.predicate.names }
        }.withoutRepeats
    }

    /// The subset of ``names`` that a client must report before the expectation can be evaluated.
    package var requiredNames: [String] { names.filter { !formula.claim.optionalNames.contains($0) } }

    /// The keys that the expectation refers to (labels of messages and faults, conversations), without duplicates, in
    /// the order written.
    package var keys: [String] {
        reads.flatMap { condition in
            (condition.event?.key.map { [$0] } ?? [])
                + condition.state.levels.flatMap { ([$0.observable] + $0.predicate.compared).compactMap(\.key.named) }
        }.withoutRepeats
    }

    /// Returns the strings that the expectation compares with the observable `name`, in the order written.
    ///
    /// Each inner array lists the alternatives of one predicate.
    package func words(of name: String) -> [[String]] {
        var words: [[String]] = []
        func add(_ predicate: ValuePredicate) {
            switch predicate {
            case .equals(let value): if let word = value.stringValue { words.append([word]) }
            case .oneOf(let values): words.append(values.compactMap(\.stringValue))
            case .all(let predicates): predicates.forEach(add)
            case .not(let predicate): add(predicate)
            case .compares, .contains, .matches, .set, .sameAs, .each, .any, .counted, .field, .keyed: break
            }
        }
        for level in levels where level.observable.name == name { add(level.predicate) }
        return words
    }

    /// The numbers and durations that the expectation checks, apart from its bound and the values in its predicates:
    /// the operator's own arguments, the offsets of the conditions, and the ordinals of the formula's events.
    package var checkedQuantities: [Quantity] {
        formula.claim.checkedQuantities
            + (formula.conditions + scope.conditions).filter { $0.offset != .zero }.map { .duration($0.offset) }
            + formula.conditions.compactMap { $0.event?.ordinal }.map { .integer(Int64($0)) }
    }

    /// Whether the verdict may depend on when the run ends.
    package var dependsOnRunEnd: Bool { scope == .atEnd || formula.spec.bound != .required }

    /// Whether the expectation is evaluated separately for each of its clients.
    var isForEach: Bool { reads.contains(where: \.isForEach) }
}

extension ValuePredicate {
    fileprivate var names: [String] { compared.map(\.name) + lookedUp }
}

extension KeySelector {
    fileprivate var named: String? {
        if case .one(let key) = self { key } else { nil }
    }
}

extension [String] {
    fileprivate var withoutRepeats: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
