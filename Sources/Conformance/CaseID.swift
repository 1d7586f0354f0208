/// The id of a case: numbers such as `1.1.1` for a case of the Autobahn test suite, or a letter and a number such as
/// `H.3` for one of Squall's own cases.
package struct CaseID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let description: String

    package init(_ text: String) {
        description = text
    }

    package var parts: [Substring] { description.split(separator: ".") }

    /// The first part of the id, which identifies the category.
    package var category: String { parts.first.map(String.init) ?? "" }
    /// The id without its last part.
    package var group: String { parts.dropLast().joined(separator: ".") }

    /// Orders ids part by part. Numbers come before letters and are ordered by value.
    package static func < (left: CaseID, right: CaseID) -> Bool {
        for (one, other) in zip(left.parts, right.parts) where one != other {
            switch (Int(one), Int(other)) {
            case (let one?, let other?): return one < other
            case (.some, nil): return true
            case (nil, .some): return false
            case (nil, nil): return one < other
            }
        }
        return left.parts.count < right.parts.count
    }

    /// Returns whether the id matches `pattern`: `7.1.1` matches only that id; `7` and `7.*` match every id in category
    /// 7; `*` matches every id.
    package func matches(_ pattern: String) -> Bool {
        var wanted = pattern.split(separator: ".", omittingEmptySubsequences: false)
        if wanted.last == "*" { wanted.removeLast() }
        return parts.count >= wanted.count && zip(parts, wanted).allSatisfy { $0 == $1 || $1 == "*" }
    }
}
