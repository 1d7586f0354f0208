/// One small change of the sources.
public struct Mutant: Hashable, Sendable, Codable {
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A condition means its opposite.
        case negatedCondition
        /// One of several conditions is left out.
        case droppedCondition
        /// `<` becomes `<=`, and the like.
        case shiftedComparison
        /// An integer literal is one larger.
        case changedConstant
        case droppedCall
        case droppedAssignment
        /// A function returns at once.
        case emptiedFunction
    }

    public var kind: Kind
    /// The path of the file, relative to the repository.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// The name of the enclosing function, or of the enclosing type outside of functions.
    public var function: String
    /// Distinguishes the mutants of one kind within a function, from 1.
    public var ordinal: Int
    /// The source text that is changed, on one line.
    public var text: String
    /// What it becomes, for a reader.
    public var mutated: String

    /// A name that stays the same while the function does.
    public var id: String { "\(file):\(function):\(kind.rawValue):\(ordinal)" }
}

/// A change of a file's bytes that makes a mutant selectable: text before and after a range, and at most one
/// replacement within it.
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

/// A mutant of a file that was not numbered yet.
struct Candidate: Sendable {
    var mutant: Mutant
    /// The edit that makes the mutant selectable by its number.
    var edit: @Sendable (Int) -> Edit
}
