import ScenarioModel
import SquallCore

/// The theme of a run: a few related actions, the actions that prepare or follow them and, optionally, a state in which
/// the run begins.
///
/// A run without a theme rarely performs related actions in sequence, such as deleting a message, confirming the
/// deletion, and letting the deletion request fail.
struct Theme: Sendable {
    /// The names of the actions that belong to the theme.
    var goals: Set<String> = []
    var prologue: Prologue?

    /// Draws a theme from `actions`. In one run out of four, the theme is empty.
    static func draw(_ actions: [ActionEntry], _ generator: inout SeededGenerator) -> Theme {
        guard generator.below(4) > 0 else { return Theme() }
        var theme = Theme()
        let count = 1 + generator.below(3)
        for _ in 0..<count { theme.add(generator.pick(actions)?.fullName, &generator) }
        if generator.below(2) == 0, let prologue = generator.pick(Prologue.all) {
            theme.prologue = prologue
            for case .act(let actor, let verb, _) in prologue.steps {
                let name = "\(actor.rawValue).\(verb)"
                for follower in [name] + Requirements.followers(of: name) { theme.add(follower, &generator) }
            }
        }
        return theme
    }

    /// Adds the action `name` to the theme. If the theme has none of the actions that `name` requires, adds one of them
    /// recursively.
    private mutating func add(_ name: String?, _ generator: inout SeededGenerator) {
        guard let name, goals.insert(name).inserted else { return }
        guard let needed = Requirements.of(name), goals.isDisjoint(with: needed) else { return }
        add(generator.pick(needed.sorted()), &generator)
    }
}
