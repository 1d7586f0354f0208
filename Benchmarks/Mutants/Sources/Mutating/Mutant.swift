/// A small change to the source code.
public struct Mutant: Hashable, Sendable, Codable {
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A condition is negated.
        case negatedCondition
        /// One of several conditions in a list is left out.
        case droppedCondition
        /// A comparison becomes strict or non-strict; for example, `<` becomes `<=`.
        case shiftedComparison
        /// An integer literal is increased by one.
        case changedConstant
        case droppedCall
        case droppedAssignment
        /// A function returns immediately.
        case emptiedFunction
    }

    public var kind: Kind
    /// The path of the file, relative to the repository.
    public var file: String
    /// The number of the line, from 1.
    public var line: Int
    /// The name of the enclosing function, or of the enclosing type if the mutant is not in a function.
    public var function: String
    /// The mutant's number, from 1, among the mutants of the same kind in the function.
    public var ordinal: Int
    /// The original source text, on one line.
    public var text: String
    /// The mutated source text, for display.
    public var mutated: String

    /// An identifier that remains stable until the function changes.
    public var id: String { "\(file):\(function):\(kind.rawValue):\(ordinal)" }
}

/// A change to a file's bytes that plants a mutant: text inserted before and after a range, and an optional replacement
/// within the range.
struct Edit: Hashable, Sendable {
    var start: Int
    var end: Int
    var prefix: String
    var suffix: String
    /// A token to replace: its range in bytes and the new text.
    var replaced: Range<Int>?
    var replacement = ""

    init(_ start: Int, _ end: Int, prefix: String, suffix: String) {
        self.start = start
        self.end = end
        self.prefix = prefix
        self.suffix = suffix
    }
}

/// A potential mutant that has not been numbered yet.
struct Candidate: Sendable {
    var mutant: Mutant
    /// Returns the edit that plants the mutant. Selecting the given number at run time activates it.
    var edit: @Sendable (Int) -> Edit
}
