import ScenarioModel
import SquallCore

/// The subject of a run: a few actions with everything that prepares or follows them, and a state to begin in.
///
/// A run without a theme rarely plays two actions that belong together, such as the deletion of a message, its
/// confirmation and a failed request for it.
struct Theme: Sendable {
    /// The actions that the run is about, by name.
    var goals: Set<String> = []
    var prologue: Prologue?

    /// One run in four has no theme.
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

    /// Adds an action, one of the actions that prepare it, and so on.
    private mutating func add(_ name: String?, _ generator: inout SeededGenerator) {
        guard let name, goals.insert(name).inserted else { return }
        guard let needed = Requirements.of(name), goals.isDisjoint(with: needed) else { return }
        add(generator.pick(needed.sorted()), &generator)
    }
}
