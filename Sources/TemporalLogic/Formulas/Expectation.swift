package import SquallCore

/// One expectation of a scenario, ready to be judged.
package struct Expectation: Hashable, Sendable {
    package var formula: Formula
    package var scope: Scope
    /// How long, from the scope's start or the trigger; inclusive.
    ///
    /// Nil for words that need none: to the scope's end.
    package var bound: TimeSpan?
    /// The audit rows that it proves.
    package var covers: [String]
    package var location: SourceLocation
    /// Whom ``ClientSelector/each`` stands for.
    package var clients: [ClientID]
    /// What its author calls it, for reports.
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

    /// Why this can never be judged, in words for the author of the scenario; empty where it can.
    package var problems: [String] {
        var problems: [String] = []
        let word = formula.word
        switch formula {
        case .eventually, .leadsTo, .until, .inOrder:
            if bound == nil, scope != .atEnd { problems.append("\(word) needs a bound (within:)") }
        case .delivered(let delivery):
            if delivery.stale != nil, bound == nil { problems.append("stale needs a bound (within:)") }
            let claims = [delivery.lost, delivery.duplicated, delivery.unexpected, delivery.stale, delivery.reordered]
            if claims.allSatisfy({ $0 == nil }) { problems.append("delivered claims nothing") }
        case .transitions(let observable, let values, _):
            if values.isEmpty { problems.append("transitions names no values") }
            if observable.key == .any || observable.key == .every {
                problems.append("transitions is about one value, not about \"[*]\"")
            }
        case .same(let one, let other):
            if [one, other].contains(where: { $0.key == .any || $0.key == .every }) {
                problems.append("same compares two values, not \"[*]\"")
            }
        case .always, .never, .count: break
        }
        if case .inOrder(let conditions, _) = formula, conditions.count < 2 {
            problems.append("in_order needs at least two steps")
        }
        if case .count(_, _, let window?) = formula, window <= .zero {
            problems.append("in_any needs a positive length")
        }
        if scope == .atEnd { problems += problemsAtEnd }
        for condition in allConditions {
            if condition.event == nil, condition.state.levels.isEmpty { problems.append("\(word) names nothing") }
            if let ordinal = condition.event?.ordinal, ordinal < 1 { problems.append("#\(ordinal) counts from 1") }
        }
        return problems
    }

    private var problemsAtEnd: [String] {
        switch formula {
        case .eventually(let condition), .never(let condition):
            condition.isLevel ? [] : ["at: end asks for a state, not for an event"]
        case .always, .same, .delivered: []
        case .until, .leadsTo, .inOrder, .count, .transitions: ["\(formula.word) cannot be judged at: end"]
        }
    }

    private var allConditions: [Condition] {
        formula.conditions + [scope.opening, scope.closing].compactMap(\.self)
    }

    /// The observables and events that must be seen for this to be judged, each once, in the order written.
    package var names: [String] {
        var names: [String] = []
        func add(_ name: String) {
            if !names.contains(name) { names.append(name) }
        }
        for condition in allConditions {
            if let event = condition.event { add(event.name) }
            for level in condition.state.levels {
                add(level.observable.name)
                level.predicate.names.forEach(add)
            }
        }
        switch formula {
        case .transitions(let observable, let values, _):
            add(observable.name)
            values.flatMap(\.names).forEach(add)
        case .same(let one, let other):
            add(one.name)
            add(other.name)
        case .delivered: ["server.stored", "client.accepted", "conversation.messages", "message.status"].forEach(add)
        case .eventually, .always, .never, .until, .leadsTo, .inOrder, .count: break
        }
        return names
    }

    /// The keys that it names: labels of messages and faults, conversations; each once, in the order written.
    package var keys: [String] {
        var keys: [String] = []
        func add(_ key: String?) {
            if let key, !keys.contains(key) { keys.append(key) }
        }
        func add(_ observable: ObservableReference) {
            if case .one(let key) = observable.key { add(key) }
        }
        for condition in allConditions {
            add(condition.event?.key)
            for level in condition.state.levels {
                add(level.observable)
                level.predicate.compared.forEach(add)
            }
        }
        switch formula {
        case .transitions(let observable, let values, _):
            add(observable)
            values.flatMap(\.compared).forEach(add)
        case .same(let one, let other):
            add(one)
            add(other)
        case .delivered(let delivery): add(delivery.conversation)
        case .eventually, .always, .never, .until, .leadsTo, .inOrder, .count: break
        }
        return keys
    }

    /// The words that an observable is asked for, in the order written: each time one, or some of which one will do.
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
        for condition in allConditions {
            for level in condition.state.levels where level.observable.name == name { add(level.predicate) }
        }
        if case .transitions(let observable, let values, _) = formula, observable.name == name { values.forEach(add) }
        return words
    }

    /// Whether it is judged once for each of its clients.
    var isForEach: Bool {
        let selectors =
            allConditions.flatMap { condition in
                (condition.event.map { [$0.client] } ?? [])
                    + condition.state.levels.flatMap { level in
                        [level.observable.client] + level.predicate.compared.map(\.client)
                    }
            } + formula.selectors
        return selectors.contains(.each)
    }
}

extension ValuePredicate {
    fileprivate var names: [String] { compared.map(\.name) + lookedUp }
}

extension Formula {
    fileprivate var selectors: [ClientSelector] {
        switch self {
        case .transitions(let observable, let values, _): [observable.client] + values.flatMap(\.compared).map(\.client)
        case .same(let one, let other): [one.client, other.client]
        case .delivered(let delivery): [delivery.client]
        case .eventually, .always, .never, .until, .leadsTo, .inOrder, .count: []
        }
    }
}
