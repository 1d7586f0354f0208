import ScenarioModel
package import SquallCore

/// The actions that may be drawn in one run, with their weights (swarm testing).
///
/// Omitting some actions lets a run reach states that are otherwise rare, because the omitted actions would end or hide
/// the conditions that lead to them.
package struct Swarm: Hashable, Sendable {
    package struct Armed: Hashable, Sendable {
        package var entry: ActionEntry
        package var weight: UInt64
    }

    /// The actions of each actor that may be drawn in this run, with their weights.
    package let armed: [Actor: [Armed]]

    /// The probability of drawing each actor, in percent.
    private static let shares: [(actor: Actor, share: UInt64)] = [
        (.user, 38), (.network, 24), (.server, 24), (.device, 14),
    ]

    /// The weights of actions that are drawn more or less often than usual. All other actions have a weight of 10.
    private static let weights: [String: UInt64] = [
        "user.open": 30, "user.send": 70, "server.post": 40, "user.leave": 12, "server.push": 14,
        "device.background": 20, "device.network": 20, "device.kill": 14,
        // These actions change the meaning of all later moves, or end most activity.
        "user.sign_out": 4, "user.sign_in": 4, "user.disconnect": 5, "server.account": 3, "server.restrict": 3,
        "server.remove_conversation": 4, "user.forge_reading": 3, "server.identify": 0,
        // The generator never picks a full disk, because only the invariants about accepted messages and files allow
        // for one.
        "device.disk": 0,
    ]

    /// Actions that send arbitrary messages, which a client of a known protocol never does.
    private static let excluded: Set = ["user.say"]

    /// Returns whether a generated draft can contain the action. `server.say` is excluded because the server does not
    /// store the messages that it sends, so no invariant can check them.
    package static func draws(_ entry: ActionEntry) -> Bool {
        guard !excluded.contains(entry.fullName), entry.fullName != "server.say" else { return false }
        return weights[entry.fullName] != 0 || Situation.preparations.contains(entry.fullName)
    }

    /// The actions that may be drawn in nearly every run.
    private static let usual: Set = ["user.open", "user.send", "server.post"]

    /// The actions that belong to the run's theme (its subject).
    private let goals: [Armed]

    init(_ actions: [ActionEntry] = Registry.actions, _ theme: Theme = Theme(), _ generator: inout SeededGenerator) {
        let densities: [UInt64] = [15, 30, 60]
        let density = generator.pick(densities) ?? 30
        var armed: [Actor: [Armed]] = [:]
        for entry in actions where !Self.excluded.contains(entry.fullName) {
            let chance: UInt64 = Self.usual.contains(entry.fullName) ? 90 : density
            let isArmed = generator.below(100) < chance || theme.goals.contains(entry.fullName)
            let factor: UInt64 = 30 + generator.below(141)
            let usual: UInt64 = Self.weights[entry.fullName] ?? 10
            let weight = usual * factor
            guard isArmed, weight > 0 else { continue }
            armed[entry.actor, default: []].append(Armed(entry: entry, weight: weight))
        }
        self.armed = armed
        goals = actions.filter { theme.goals.contains($0.fullName) && (Self.weights[$0.fullName] ?? 10) > 0 }
            .map { Armed(entry: $0, weight: 1) }
    }

    /// Draws an actor and then one of its actions; returns nil if the run has no actions for that actor.
    func entry(_ generator: inout SeededGenerator) -> ActionEntry? {
        var place = generator.below(Self.shares.reduce(0) { $0 + $1.share })
        var actor = Actor.user
        for (candidate, share) in Self.shares {
            if place < share {
                actor = candidate
                break
            }
            place -= share
        }
        return Self.pick(armed[actor, default: []], &generator)
    }

    /// Draws one of the actions in the run's theme; nil if the run has no theme.
    func goal(_ generator: inout SeededGenerator) -> ActionEntry? { Self.pick(goals, &generator) }

    /// Returns the action with this name; nil if the run may not draw it.
    func entry(named name: String) -> ActionEntry? {
        Actor.allCases.lazy.flatMap { armed[$0, default: []] }.first { $0.entry.fullName == name }?.entry
    }

    /// Draws one of the run's actions that require the action `name`; nil if there is none.
    func follower(of name: String, _ generator: inout SeededGenerator) -> ActionEntry? {
        let names = Requirements.followers(of: name)
        let all = Actor.allCases.flatMap { armed[$0, default: []] }
        return Self.pick(all.filter { names.contains($0.entry.fullName) }, &generator)
    }

    private static func pick(_ choices: [Armed], _ generator: inout SeededGenerator) -> ActionEntry? {
        guard !choices.isEmpty else { return nil }
        var weight = generator.below(choices.reduce(0) { $0 + $1.weight })
        for choice in choices {
            if weight < choice.weight { return choice.entry }
            weight -= choice.weight
        }
        return nil
    }
}
