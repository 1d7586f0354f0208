/// A case's name: the published suite's numbers, `1.1.1`, or a letter of Squall's own and a number, `H.3`.
package struct CaseID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let description: String

    package init(_ text: String) {
        description = text
    }

    package var parts: [Substring] { description.split(separator: ".") }

    /// The first part: what the case is about.
    package var category: String { parts.first.map(String.init) ?? "" }
    /// All but the last part.
    package var group: String { parts.dropLast().joined(separator: ".") }

    /// Numbers before letters, each part by its size.
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

    /// Whether `pattern` names it: `7.1.1` itself, `7` and `7.*` all that begins so, `*` all.
    package func matches(_ pattern: String) -> Bool {
        var wanted = pattern.split(separator: ".", omittingEmptySubsequences: false)
        if wanted.last == "*" { wanted.removeLast() }
        return parts.count >= wanted.count && zip(parts, wanted).allSatisfy { $0 == $1 || $1 == "*" }
    }
}
