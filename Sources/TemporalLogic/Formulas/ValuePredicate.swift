package import SquallCore

/// An integer or a duration; traces represent a duration as whole nanoseconds.
package enum Quantity: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    case integer(Int64)
    case duration(TimeSpan)

    package init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    package var value: Int64 {
        switch self {
        case .integer(let number): number
        case .duration(let span): span.nanoseconds
        }
    }

    package var description: String {
        switch self {
        case .integer(let number): String(number)
        case .duration(let span): String(describing: span)
        }
    }
}

/// A comparison operator for numbers.
package enum Comparison: String, Hashable, Sendable, CaseIterable {
    case exactly
    case atLeast = "at_least"
    case atMost = "at_most"
    case moreThan = "more_than"
    case lessThan = "less_than"

    package var words: String {
        switch self {
        case .exactly: "exactly"
        case .atLeast: "at least"
        case .atMost: "at most"
        case .moreThan: "more than"
        case .lessThan: "less than"
        }
    }

    func holds<Value: Comparable>(_ value: Value, _ bound: Value) -> Bool {
        switch self {
        case .exactly: value == bound
        case .atLeast: value >= bound
        case .atMost: value <= bound
        case .moreThan: value > bound
        case .lessThan: value < bound
        }
    }
}

/// A predicate on a JSON value. An observable that was never reported counts as null.
package indirect enum ValuePredicate: Hashable, Sendable {
    case equals(JSON)
    /// Satisfied by a number for which the comparison holds.
    case compares(Comparison, Quantity)
    case oneOf([JSON])
    /// Satisfied by a string that contains this string, and by a list that contains this item.
    case contains(JSON)
    case matches(TextPattern)
    /// If true, satisfied by any value other than null; if false, by null and by a missing value.
    case set(Bool)
    /// Satisfied by a value that equals the current value of another observable; not satisfied if neither was reported.
    case sameAs(ObservableReference)
    /// Written `each`. Satisfied by a list if every item, or every item that `where` selects, satisfies the predicate.
    /// An empty list satisfies it as well.
    case each(where: ValuePredicate?, ValuePredicate)
    /// Written `any`. Satisfied by a list if at least one item satisfies the predicate. If there is a `where`, only the
    /// items that it selects count.
    case any(where: ValuePredicate?, ValuePredicate)
    /// Written `length`. Satisfied by a list if the number of its items satisfies the predicate. If there is a `where`,
    /// only the items that it selects count.
    case counted(where: ValuePredicate?, ValuePredicate)
    /// Satisfied by an object whose member with this name satisfies the predicate.
    case field(String, ValuePredicate)
    /// Satisfied by a string if the same client's named observable, keyed by that string, satisfies the predicate.
    case keyed(String, ValuePredicate)
    case all([ValuePredicate])
    case not(ValuePredicate)

    package static func atLeast(_ bound: Quantity) -> ValuePredicate { .compares(.atLeast, bound) }
    package static func atMost(_ bound: Quantity) -> ValuePredicate { .compares(.atMost, bound) }
    package static func moreThan(_ bound: Quantity) -> ValuePredicate { .compares(.moreThan, bound) }
    package static func lessThan(_ bound: Quantity) -> ValuePredicate { .compares(.lessThan, bound) }
    package static func duration(_ span: TimeSpan) -> ValuePredicate { .compares(.exactly, .duration(span)) }
    package static func each(_ predicate: ValuePredicate) -> ValuePredicate { .each(where: nil, predicate) }
    package static func any(_ predicate: ValuePredicate) -> ValuePredicate { .any(where: nil, predicate) }
}
