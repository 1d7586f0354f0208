/// An error in a profile's `wire.frames`, with its location.
package struct TemplateMistake: Error, Hashable, Sendable {
    /// One step of a path from a value to a nested value.
    package enum Step: Hashable, Sendable {
        /// From an object to the value of the member with this name.
        case member(String)
        /// From an object to the name of a member, for errors in the name itself.
        case key(String)
        case index(Int)
    }

    /// The path from `wire.frames` to the error.
    package var path: [Step]
    package var message: String
    package var help: String?
    /// The path of the template that conflicts with this one; nil if there is none.
    package var other: [Step]?

    init(_ path: [Step], _ message: String, help: String? = nil, other: [Step]? = nil) {
        self.path = path
        self.message = message
        self.help = help
        self.other = other
    }
}

/// Collects errors, so that one pass over a mapping finds all of them.
struct TemplateMistakes {
    private(set) var found: [TemplateMistake] = []

    mutating func add(
        _ path: [TemplateMistake.Step],
        _ message: String,
        help: String? = nil,
        other: [TemplateMistake.Step]? = nil
    ) {
        found.append(TemplateMistake(path, message, help: help, other: other))
    }
}
