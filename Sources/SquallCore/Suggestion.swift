/// Suggests the known word that the author of a misspelled word most likely meant.
package enum Suggestion {
    /// The largest edit distance, for each part of a name, that counts as a misspelling.
    private static let farthest = 3
    /// The maximum number of known words to compare, which bounds the running time.
    private static let maximumCandidates = 2000

    /// Returns the word in `known` with the smallest edit distance; nil if none is close enough to be a likely
    /// correction.
    ///
    /// In a dotted name, each part must be close: `connection.mood` does not suggest `connection.tone`.
    package static func nearest(to word: String, among known: some Sequence<String>) -> String? {
        let length = word.utf8.count
        guard length <= 100 else { return nil }
        let parts = self.parts(of: word)
        var best: (word: String, distance: Int)?
        for candidate in known.prefix(maximumCandidates) {
            guard abs(candidate.utf8.count - length) <= farthest * parts.count else { continue }
            guard let distance = distance(parts, self.parts(of: candidate)) else { continue }
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.word
    }

    private static func parts(of word: String) -> [[UInt8]] {
        word.lowercased().utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
    }

    /// Returns the sum of the parts' edit distances; nil if any of them is too large, or if the numbers of parts
    /// differ.
    private static func distance(_ left: [[UInt8]], _ right: [[UInt8]]) -> Int? {
        guard left.count == right.count else { return nil }
        var sum = 0
        for (one, other) in zip(left, right) where one != other {
            let limit = min(farthest, max(1, one.count / 3))
            let distance = distance(one, other, limit: limit)
            guard distance <= limit else { return nil }
            sum += distance
        }
        return sum
    }

    /// Returns a hint for an unknown word: `did you mean 'x'?`, or `one of: …` with at most 16 known words.
    ///
    /// If no known word is close, the hint lists the known names with the same prefix up to the last dot. If there are
    /// none or too many, it lists all known words. Returns nil if there are no known words or more than 16.
    package static func help(for word: String, among known: [String]) -> String? {
        if let near = nearest(to: word, among: known) { return "did you mean '\(near)'?" }
        if let dot = word.lastIndex(of: ".") {
            let family = known.filter { $0.hasPrefix(word[...dot]) }
            if !family.isEmpty, family.count <= 16 { return "one of: \(family.joined(separator: ", "))" }
        }
        guard !known.isEmpty, known.count <= 16 else { return nil }
        return "one of: \(known.joined(separator: ", "))"
    }

    /// Returns the optimal string alignment distance: insertions, deletions, replacements and swaps of adjacent bytes
    /// cost 1 each.
    ///
    /// Returns `limit + 1` early if the lengths differ by more than `limit`.
    private static func distance(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int {
        guard abs(left.count - right.count) <= limit else { return limit + 1 }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let cost = left[row] == right[column] ? 0 : 1
                var best = min(last[column] + cost, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
