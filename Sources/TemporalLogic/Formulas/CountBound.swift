/// A bound on a number of occurrences, such as `at_most: 2`.
package struct CountBound: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case exactly
        case atLeast = "at_least"
        case atMost = "at_most"
    }

    /// The range of counts that a scenario may specify.
    package static let range: ClosedRange<Int64> = 0...1_000_000_000

    package let kind: Kind
    /// The number that the count is compared with; never negative.
    package let number: Int

    /// Creates a bound; a negative number is treated as zero.
    package init(_ kind: Kind, _ number: Int) {
        self.kind = kind
        self.number = max(number, 0)
    }

    package static func exactly(_ number: Int) -> CountBound { CountBound(.exactly, number) }
    package static func atLeast(_ number: Int) -> CountBound { CountBound(.atLeast, number) }
    package static func atMost(_ number: Int) -> CountBound { CountBound(.atMost, number) }

    /// The largest count allowed; nil for `at_least`.
    var most: Int? { kind == .atLeast ? nil : number }
    /// The smallest count allowed.
    var least: Int { kind == .atMost ? 0 : number }

    func allows(_ count: Int) -> Bool {
        count >= least && count <= most ?? .max
    }

    /// The bound in words, such as `exactly 1`, `at least 2` or `at most 5`.
    package var words: String {
        switch kind {
        case .exactly: "exactly \(number)"
        case .atLeast: "at least \(number)"
        case .atMost: "at most \(number)"
        }
    }
}
