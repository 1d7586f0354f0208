/// What is wrong with the frames that a profile gives its roles, and where in them.
package struct TemplateMistake: Error, Hashable, Sendable {
    /// One step from a value to a value in it.
    package enum Step: Hashable, Sendable {
        /// The value of a member.
        case member(String)
        /// The name of a member.
        case key(String)
        case index(Int)
    }

    /// From the whole of `wire.frames` on.
    package var path: [Step]
    package var message: String
    package var help: String?
    /// What it collides with, where it does with something.
    package var other: [Step]?

    init(_ path: [Step], _ message: String, help: String? = nil, other: [Step]? = nil) {
        self.path = path
        self.message = message
        self.help = help
        self.other = other
    }
}

/// The mistakes of one mapping, gathered while its reader goes on to the next thing.
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
