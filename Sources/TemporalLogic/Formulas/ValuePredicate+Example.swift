package import SquallCore
import Trace

extension ValuePredicate {
    /// A value that satisfies the predicate; nil if none can be constructed without the state of a run.
    package var example: JSON? {
        switch self {
        case .equals(let value): value
        case .compares(let comparison, let bound):
            switch comparison {
            case .exactly, .atLeast, .atMost: .integer(bound.value)
            case .moreThan: bound.value < .max ? .integer(bound.value + 1) : nil
            case .lessThan: bound.value > .min ? .integer(bound.value - 1) : nil
            }
        case .oneOf(let choices): choices.first
        case .contains(let part): part
        case .matches(let pattern): pattern.matches(pattern.sample) ? .string(pattern.sample) : nil
        case .set(true): "something"
        case .set(false): JSON.null
        case .sameAs, .keyed: nil
        case .each(let filter, let predicate), .any(let filter, let predicate):
            (filter.map { ValuePredicate.all([$0, predicate]) } ?? predicate).example.map { .array([$0]) }
        case .counted: nil
        case .field(let name, let predicate): predicate.example.map { .object([JSONMember(name, $0)]) }
        case .all(let predicates): predicates.lazy.compactMap(\.example).first { satisfies($0) }
        case .not: JSON.candidates.first { satisfies($0) }
        }
    }

    /// Values that violate the predicate: first those that a negation excludes, then arbitrary ones.
    var counterexamples: [JSON] {
        (refused + JSON.candidates).filter { !satisfies($0) }
    }

    private var refused: [JSON] {
        switch self {
        case .not(let predicate): predicate.example.map { [$0] } ?? []
        case .all(let predicates): predicates.flatMap(\.refused)
        case .each(_, let predicate), .any(_, let predicate): predicate.refused.map { .array([$0]) }
        case .field(let name, let predicate): predicate.refused.map { .object([JSONMember(name, $0)]) }
        case .equals, .compares, .oneOf, .contains, .matches, .set, .sameAs, .counted, .keyed: []
        }
    }

    private func satisfies(_ value: JSON) -> Bool {
        holds(for: value, seenBy: PredicateSubject(each: nil, owner: nil), in: ObservedState())
    }
}

extension JSON {
    /// Arbitrary values of all JSON types, for trying out predicates.
    static let candidates: [JSON] = [
        nil, true, false, 0, 1, -1, .integer(.max), "", "something else", [], ["something else"], [:],
    ]

    /// Values that differ from this one, most similar first.
    var similarValues: [JSON] {
        var near: [JSON] = []
        switch self {
        case .bool(let flag): near = [.bool(!flag)]
        case .integer(let number):
            if number < .max { near.append(.integer(number + 1)) }
            if number > .min { near.append(.integer(number - 1)) }
        case .string(let text): near = [.string(text + "~")]
        case .array(let items):
            if !items.isEmpty { near = [.array(Array(items.dropLast())), .array(Array(items.reversed()))] }
            near.append(.array(items + ["something else"]))
        case .object(let members):
            for (index, member) in members.enumerated() {
                for value in member.value.similarValues.prefix(1) + [.null] where value != member.value {
                    var changed = members
                    changed[index].value = value
                    near.append(.object(changed))
                }
            }
        case .null, .number: break
        }
        return (near + JSON.candidates).filter { $0 != self }
    }
}
