/// A small regular expression: literals, `.`, `*`, `+`, `?`, `[…]`, `(…)`, `|`, `^`, `$`, `\d`, `\w`, `\s` and their
/// negations `\D`, `\W`, `\S`.
///
/// Matching simulates all paths of the automaton in parallel, so its running time is at most proportional to the
/// product of the lengths of the pattern and the text. A pattern matches any part of a text unless it is anchored.
/// Matching operates on Unicode scalars.
package struct TextPattern: Hashable, Sendable, CustomStringConvertible {
    /// The maximum length of a pattern, in Unicode scalars.
    package static let longest = 1000

    /// The pattern as it was written.
    package let source: String
    /// A short text that the pattern is likely to match, with as few repetitions as possible; used by the prover.
    package let sample: String
    private let states: [State]
    private let start: Int

    /// One state of the automaton, with the indexes of its successors.
    enum State: Hashable, Sendable {
        case consume(ScalarTest, next: Int)
        case split(Int, Int)
        case atStart(next: Int)
        case atEnd(next: Int)
        case accept
    }

    package init(_ source: String) throws(TextPatternError) {
        guard source.unicodeScalars.count <= TextPattern.longest else {
            throw TextPatternError(
                "the pattern is longer than \(TextPattern.longest) characters",
                at: TextPattern.longest
            )
        }
        var parser = TextPatternParser(source)
        let node = try parser.parse()
        var states: [State] = [.accept]
        start = node.compile(into: &states, next: 0)
        self.states = states
        self.source = source
        sample = node.sample
    }

    package var description: String { "/\(source)/" }

    package static func == (left: TextPattern, right: TextPattern) -> Bool { left.source == right.source }

    package func hash(into hasher: inout Hasher) { hasher.combine(source) }

    /// Returns whether the pattern matches any part of the text.
    package func matches(_ text: String) -> Bool {
        var current = StateSet(count: states.count)
        var following = StateSet(count: states.count)
        var rest = text.unicodeScalars.makeIterator()
        var isFirst = true
        var scalar = rest.next()
        while true {
            // A match may begin at any scalar.
            if add(start, to: &current, isFirst: isFirst, isLast: scalar == nil) { return true }
            guard let present = scalar else { return false }
            scalar = rest.next()
            isFirst = false
            following.removeAll()
            for state in current.members {
                guard case .consume(let test, let next) = states[state], test.accepts(present) else { continue }
                if add(next, to: &following, isFirst: false, isLast: scalar == nil) { return true }
            }
            swap(&current, &following)
        }
    }

    /// Adds the state to `set`, along with all states that can be reached from it without consuming a scalar.
    ///
    /// `isFirst` and `isLast` say whether the position is at the start or the end of the text, respectively. Returns
    /// whether the accepting state was reached.
    private func add(_ state: Int, to set: inout StateSet, isFirst: Bool, isLast: Bool) -> Bool {
        var stack = [state]
        while let top = stack.popLast() {
            guard set.insert(top) else { continue }
            switch states[top] {
            case .accept: return true
            case .consume: break
            case .split(let one, let other): stack += [other, one]
            case .atStart(let next): if isFirst { stack.append(next) }
            case .atEnd(let next): if isLast { stack.append(next) }
            }
        }
        return false
    }
}

/// An error that says why a pattern is invalid.
package struct TextPatternError: Error, Hashable, Sendable, CustomStringConvertible {
    package let problem: String
    /// The index of the offending character, from 0.
    package let offset: Int

    init(_ problem: String, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }

    package var description: String { "\(problem), at character \(offset + 1) of the pattern" }
}

/// A set of states that preserves the order of insertion.
private struct StateSet {
    private(set) var members: [Int] = []
    private var present: [Bool]

    init(count: Int) {
        present = [Bool](repeating: false, count: count)
    }

    mutating func insert(_ state: Int) -> Bool {
        guard !present[state] else { return false }
        present[state] = true
        members.append(state)
        return true
    }

    mutating func removeAll() {
        for state in members { present[state] = false }
        members.removeAll(keepingCapacity: true)
    }
}

/// A test that one Unicode scalar of the text must pass, such as `.`, `\d` or `[a-z]`.
enum ScalarTest: Hashable, Sendable {
    case any
    case one(Unicode.Scalar)
    case digit(Bool)
    case word(Bool)
    case space(Bool)
    indirect case among([Item], negated: Bool)

    enum Item: Hashable, Sendable {
        case range(ClosedRange<Unicode.Scalar>)
        case test(ScalarTest)
    }

    func accepts(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .any: return true
        case .one(let expected): return scalar == expected
        case .digit(let wanted): return ("0"..."9" ~= scalar) == wanted
        case .word(let wanted): return Self.isWord(scalar) == wanted
        case .space(let wanted): return scalar.properties.isWhitespace == wanted
        case .among(let items, let negated):
            let isAmong = items.contains { item in
                switch item {
                case .range(let range): range.contains(scalar)
                case .test(let test): test.accepts(scalar)
                }
            }
            return isAmong != negated
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic || "0"..."9" ~= scalar
    }

    /// A scalar that the test accepts, or `~` if the test accepts none of the candidates tried.
    var sample: Unicode.Scalar {
        if case .one(let scalar) = self { return scalar }
        if case .among(let items, false) = self, let first = items.first {
            switch first {
            case .range(let range): return range.lowerBound
            case .test(let test): return test.sample
            }
        }
        let candidates: [Unicode.Scalar] = ["a", "0", " ", "-", "b", "Z"]
        return candidates.first(where: accepts) ?? "~"
    }
}
