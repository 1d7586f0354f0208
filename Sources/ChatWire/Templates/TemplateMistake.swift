/// A mistake in a profile's `wire.frames`, with its place.
package struct TemplateMistake: Error, Hashable, Sendable {
    /// One step from a value to a nested value.
    package enum Step: Hashable, Sendable {
        /// The value of a member.
        case member(String)
        /// The name of a member.
        case key(String)
        case index(Int)
    }

    /// The path from `wire.frames` to the mistake.
    package var path: [Step]
    package var message: String
    package var help: String?
    /// The path of the template that this one collides with, if any.
    package var other: [Step]?

    init(_ path: [Step], _ message: String, help: String? = nil, other: [Step]? = nil) {
        self.path = path
        self.message = message
        self.help = help
        self.other = other
    }
}

/// A collector of mistakes, so that one pass over a mapping finds them all.
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
