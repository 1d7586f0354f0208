package import SquallCore
package import Trace

/// The clients that a predicate refers to implicitly, without naming them.
package struct PredicateSubject: Hashable, Sendable {
    /// The client that ``ClientSelector/each`` refers to.
    package var each: ClientID?
    /// The client whose observable or event the predicate is about.
    package var owner: ClientID?

    package init(each: ClientID?, owner: ClientID?) {
        self.each = each
        self.owner = owner
    }
}

extension ValuePredicate {
    /// Returns whether `value` satisfies the predicate. `viewpoint` contains the clients that the predicate refers to
    /// without naming them, and `state` contains the other observables that it reads.
    package func holds(for value: JSON?, seenBy viewpoint: PredicateSubject, in state: ObservedState) -> Bool {
        switch self {
        case .equals(let expected): return (value ?? .null) == expected
        case .compares(let comparison, let bound): return Self.compare(value, comparison, bound)
        case .oneOf(let choices): return choices.contains(value ?? .null)
        case .contains(let part):
            switch (value, part) {
            case (.array(let items)?, _): return items.contains(part)
            case (.string(let text)?, .string(let part)): return text.containsText(part)
            default: return false
            }
        case .matches(let pattern): return value?.stringValue.map(pattern.matches) ?? false
        case .set(let wanted): return (value.map { !$0.isNull } ?? false) == wanted
        case .sameAs(let other):
            let theirs = state[other.resolved(for: viewpoint.each)]
            return (value != nil || theirs != nil) && (value ?? .null) == (theirs ?? .null)
        case .each(let filter, let predicate):
            guard let items = value?.arrayValue else { return false }
            return items.allSatisfy { item in
                filter?.holds(for: item, seenBy: viewpoint, in: state) == false
                    || predicate.holds(for: item, seenBy: viewpoint, in: state)
            }
        case .any(let filter, let predicate):
            guard let items = value?.arrayValue else { return false }
            return items.contains { item in
                filter?.holds(for: item, seenBy: viewpoint, in: state) != false
                    && predicate.holds(for: item, seenBy: viewpoint, in: state)
            }
        case .counted(let filter, let predicate):
            guard let items = value?.arrayValue else { return false }
            let chosen = items.count { filter?.holds(for: $0, seenBy: viewpoint, in: state) != false }
            return predicate.holds(for: .integer(Int64(chosen)), seenBy: viewpoint, in: state)
        case .field(let name, let predicate): return predicate.holds(for: value?[name], seenBy: viewpoint, in: state)
        case .keyed(let name, let predicate):
            guard let key = value?.stringValue else { return false }
            let named = ObservedName(client: viewpoint.owner, name: name, key: key)
            return predicate.holds(for: state[named], seenBy: viewpoint, in: state)
        case .all(let predicates): return predicates.allSatisfy { $0.holds(for: value, seenBy: viewpoint, in: state) }
        case .not(let predicate): return !predicate.holds(for: value, seenBy: viewpoint, in: state)
        }
    }

    private static func compare(_ value: JSON?, _ comparison: Comparison, _ bound: Quantity) -> Bool {
        switch value {
        case .integer(let number)?: comparison.holds(number, bound.value)
        case .number?: value?.doubleValue.map { comparison.holds($0, Double(bound.value)) } ?? false
        default: false
        }
    }

    /// The other observables that the predicate compares the value with.
    var compared: [ObservableReference] {
        if case .sameAs(let other) = self { return [other] }
        return parts.flatMap(\.compared)
    }

    /// The names of the same client's observables in which the predicate looks up a value by key.
    var lookedUp: [String] {
        if case .keyed(let name, let predicate) = self { return [name] + predicate.lookedUp }
        return parts.flatMap(\.lookedUp)
    }

    private var parts: [ValuePredicate] {
        switch self {
        case .equals, .compares, .oneOf, .contains, .matches, .set, .sameAs: []
        case .each(let filter, let predicate), .any(let filter, let predicate), .counted(let filter, let predicate):
            [filter, predicate].compactMap(\.self)
        case .field(_, let predicate), .keyed(_, let predicate), .not(let predicate): [predicate]
        case .all(let predicates): predicates
        }
    }
}

extension String {
    /// Returns whether the string contains `part`, compared as UTF-8 bytes. Every string contains the empty string.
    func containsText(_ part: String) -> Bool {
        let needle = Array(part.utf8)
        let bytes = Array(utf8)
        guard let first = needle.first else { return true }
        guard bytes.count >= needle.count else { return false }
        return (0...bytes.count - needle.count).contains { start in
            bytes[start] == first && bytes[start..<start + needle.count].elementsEqual(needle)
        }
    }
}
