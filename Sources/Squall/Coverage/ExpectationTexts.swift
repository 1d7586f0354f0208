import SquallCore
import TemporalLogic

extension Expectation {
    /// All literal texts in the expectation's predicates.
    var literalTexts: Set<String> {
        var texts: Set<String> = []
        for predicate in formula.predicates { predicate.collectTexts(into: &texts) }
        return texts
    }
}

extension ValuePredicate {
    fileprivate func collectTexts(into texts: inout Set<String>) {
        switch self {
        case .equals(let value), .contains(let value): value.collectTexts(into: &texts)
        case .oneOf(let values): for value in values { value.collectTexts(into: &texts) }
        case .matches(let pattern): texts.insert(pattern.source)
        case .each(_, let predicate), .any(_, let predicate), .counted(_, let predicate), .field(_, let predicate),
            .keyed(_, let predicate):
            predicate.collectTexts(into: &texts)
        case .all(let predicates): for predicate in predicates { predicate.collectTexts(into: &texts) }
        case .not(let predicate): predicate.collectTexts(into: &texts)
        case .compares, .set, .sameAs: break
        }
    }
}

extension JSON {
    fileprivate func collectTexts(into texts: inout Set<String>) {
        switch self {
        case .string(let text): texts.insert(text)
        case .array(let items): for item in items { item.collectTexts(into: &texts) }
        case .object(let members): for member in members { member.value.collectTexts(into: &texts) }
        case .null, .bool, .integer, .number: break
        }
    }
}
