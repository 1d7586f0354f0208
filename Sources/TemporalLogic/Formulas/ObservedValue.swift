package import SquallCore

/// A value that an observable had while an expectation waited for another value.
package struct ObservedValue: Hashable, Sendable {
    /// The name of the observable, with its key.
    package var subject: String
    /// The value as formatted in messages.
    package var text: String
    /// The instant at which the observable took the value, or at which the wait began if it already had the value.
    package var since: Instant
    /// The index of the event that reported the value.
    package var event: Int
    /// Whether, of all the values that the observable had, this one came closest to the expected value.
    package var isNearest: Bool

    package init(subject: String, text: String, since: Instant, event: Int, isNearest: Bool = false) {
        self.subject = subject
        self.text = text
        self.since = since
        self.event = event
        self.isNearest = isNearest
    }
}

extension ValuePredicate {
    /// Returns the distance from `value` to the closest value that satisfies the predicate, in the range from 0 to 1;
    /// nil if the distance cannot be measured.
    func distance(of value: JSON) -> Double? {
        switch self {
        case .equals(let wanted): Self.distance(of: value, from: wanted)
        case .oneOf(let wanted): wanted.compactMap { Self.distance(of: value, from: $0) }.min()
        case .contains(let wanted):
            // Text before and after the best match does not count as a difference.
            value.stringValue.flatMap { text in
                wanted.stringValue.map { EditDistance.ofPart($0, in: text) }
            }
        case .compares(_, let quantity):
            value.intValue.map { number in
                let gap = Double(number) - Double(quantity.value)
                return abs(gap) / (abs(gap) + abs(Double(quantity.value)) + 1)
            }
        case .matches, .set, .sameAs, .each, .any, .counted, .field, .keyed, .all, .not: nil
        }
    }

    private static func distance(of value: JSON, from wanted: JSON) -> Double? {
        if let text = value.stringValue, let wanted = wanted.stringValue { return EditDistance.of(text, wanted) }
        guard let number = value.doubleValue, let wanted = wanted.doubleValue else { return nil }
        let gap = abs(number - wanted)
        return gap.isFinite ? gap / (gap + abs(wanted) + 1) : 1
    }
}

/// Edit distances between strings, normalized to the range from 0 to 1.
enum EditDistance {
    /// The maximum number of bytes compared in each string; the limit bounds the running time.
    private static let longest = 200

    static func of(_ left: String, _ right: String) -> Double {
        let (left, right) = (bytes(left), bytes(right))
        guard !left.isEmpty || !right.isEmpty else { return 0 }
        return Double(row(left, right, startsAnywhere: false).last ?? 0) / Double(max(left.count, right.count))
    }

    /// Returns the normalized edit distance between `part` and the most similar substring of `text`.
    static func ofPart(_ part: String, in text: String) -> Double {
        let (part, text) = (bytes(part), bytes(text))
        guard !part.isEmpty else { return 0 }
        return Double(row(part, text, startsAnywhere: true).min() ?? part.count) / Double(part.count)
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.lowercased().utf8.prefix(longest)) }

    /// Returns the edit distance between `left` and each prefix of `right`. If `startsAnywhere` is true, each element
    /// is the distance between `left` and the most similar substring that ends where the prefix ends.
    private static func row(_ left: [UInt8], _ right: [UInt8], startsAnywhere: Bool) -> [Int] {
        var above = startsAnywhere ? [Int](repeating: 0, count: right.count + 1) : Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var current = [index + 1]
            for (column, other) in right.enumerated() {
                current.append(
                    min(above[column] + (byte == other ? 0 : 1), above[column + 1] + 1, current[column] + 1)
                )
            }
            above = current
        }
        return above
    }
}
