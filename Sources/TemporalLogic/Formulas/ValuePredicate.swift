package import SquallCore

/// A whole number or a duration, which traces hold as whole nanoseconds.
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

/// A comparison of numbers.
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

/// A predicate on a value. A value that was never shown counts as null.
package indirect enum ValuePredicate: Hashable, Sendable {
    case equals(JSON)
    /// A comparison with a number; false for any other value.
    case compares(Comparison, Quantity)
    case oneOf([JSON])
    /// A text that contains this text, or a list that contains this item.
    case contains(JSON)
    case matches(TextPattern)
    /// Whether there is a value other than null.
    case set(Bool)
    /// Equal to the current value of another observable; false while neither has been shown.
    case sameAs(ObservableReference)
    /// `each`: every item of a list, or every item that `where` selects; true of an empty list, false of other values.
    case each(where: ValuePredicate?, ValuePredicate)
    /// `any`: at least one item of a list, of those that `where` selects.
    case any(where: ValuePredicate?, ValuePredicate)
    /// `length`: the number of items of a list, of those that `where` selects.
    case counted(where: ValuePredicate?, ValuePredicate)
    /// A member of an object.
    case field(String, ValuePredicate)
    /// The value is the key of this observable, of the same client, whose value satisfies the predicate.
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
