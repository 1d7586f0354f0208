import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic

extension CoverageStatement {
    /// Collects the texts, numbers and durations that an expectation checks: those in its predicates, its counts, its
    /// bound and the offsets of its conditions.
    ///
    /// A number inside a required text is included, such as `30S` in `CHECKING EVERY 30S.`; a value under `not` is
    /// excluded, because any other value satisfies it.
    init(checkedBy expectation: Expectation) {
        self.init(bound: expectation.bound)
        for predicate in expectation.formula.predicates { add(predicate) }
        for figure in expectation.checkedQuantities { add(figure) }
    }

    private mutating func add(_ predicate: ValuePredicate) {
        switch predicate {
        case .equals(let value), .contains(let value): add(value)
        case .compares(_, let figure): add(figure)
        case .oneOf(let values): for value in values { add(value) }
        case .matches(let pattern): add(text: pattern.source)
        case .each(_, let predicate), .any(_, let predicate), .counted(_, let predicate), .field(_, let predicate),
            .keyed(_, let predicate):
            add(predicate)
        case .all(let predicates): for predicate in predicates { add(predicate) }
        case .not, .set, .sameAs: break
        }
    }

    private mutating func add(_ value: JSON) {
        switch value {
        case .string(let text): add(text: text)
        case .integer(let number): numbers.insert(number)
        case .array(let items): for item in items { add(item) }
        case .object(let members): for member in members { add(member.value) }
        case .null, .bool, .number: break
        }
    }

    private mutating func add(_ figure: Quantity) {
        switch figure {
        case .integer(let number): numbers.insert(number)
        case .duration(let span): durations.insert(span)
        }
    }

    private mutating func add(text: String) {
        texts.insert(text)
        for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            if let number = Int64(word) {
                numbers.insert(number)
            } else if let span = DurationText.parse(word.lowercased()) {
                durations.insert(span)
            }
        }
    }
}
