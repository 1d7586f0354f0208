package import ScenarioModel
package import SquallCore

/// A scenario as a list of moves (steps) that can be generated, mutated or shrunk, and then written to a file.
///
/// A generated draft has two phases: a storm of random moves, then a fault-free period (calm). At the start of the
/// calm, all faults are healed; then no user or device acts until every client must have recovered.
package struct Draft: Hashable, Sendable {
    /// A profile value that the scenario overrides.
    package struct Setting: Hashable, Sendable {
        package var name: String
        package var value: ArgumentValue

        package init(_ name: String, _ value: ArgumentValue) {
            self.name = name
            self.value = value
        }
    }

    /// A group of clients that steps can address by a common prefix.
    package struct Group: Hashable, Sendable {
        package var name: String
        package var members: [ClientID]

        package init(name: String, members: [ClientID]) {
            self.name = name
            self.members = members
        }
    }

    /// A key of the scenario file that is preserved unchanged, with its value as YAML.
    package struct Clause: Hashable, Sendable {
        package var key: String
        package var value: String

        package init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    package enum Ending: Hashable, Sendable {
        /// The draft ends with a full fault-free period (calm): all faults are healed, and then no user or device acts.
        case calm
        /// The draft ends with a pause shorter than the calm, because the violation occurs early enough. If `calm` is
        /// true, the moves that heal all faults precede the pause.
        case cut(calm: Bool, pause: TimeSpan)
        /// The draft has no separate ending, because it was read from a file; ``Draft/body`` contains all of its steps.
        case none
    }

    package var profile: String
    package var settings: [Setting]
    package var clients: [ClientID]
    package var groups: [Group]
    /// The moves before the first fault.
    package var opening: [Move]
    /// The moves of the storm: random actions and faults.
    package var body: [Move]
    package var ending: Ending
    /// The expectations, each as YAML.
    package var expectations: [String]
    /// The scenario file's top-level keys that are preserved unchanged.
    package var clauses: [Clause]

    package init(profile: String = "default", clients: [ClientID] = [.only], ending: Ending = .calm) {
        self.profile = profile
        settings = []
        self.clients = clients
        groups = []
        opening = []
        body = []
        self.ending = ending
        expectations = []
        clauses = []
    }

    package var moves: [Move] { opening + body }

    /// The number of moves before the draft's ending.
    package var size: Int { opening.count + body.count }

    /// The names of the actions in order, without pauses, by which duplicate findings are recognised.
    package var skeleton: [String] { moves.compactMap(\.name) }
}

extension Draft {
    /// Returns `profile` with the draft's settings applied.
    package func tuned(_ profile: Profile) -> Profile {
        var profile = profile
        for setting in settings { Profile.field(named: setting.name)?.set(&profile, setting.value) }
        return profile
    }

    /// Returns all moves in the script, including the ending.
    package func script(_ profile: Profile) -> [Move] {
        switch ending {
        case .none: moves
        case .calm: moves + Calm(after: self, profile).moves
        case .cut(calm: true, let pause): moves + Calm(after: self, profile).healing + [.rest(pause)]
        case .cut(calm: false, let pause): moves + [.rest(pause)]
        }
    }

    /// Returns the scenario that the draft's file describes.
    ///
    /// Returns nil if a move is invalid or if the draft contains YAML, such as an expectation, a `wait` or an anchor.
    ///
    /// - Parameter profile: The profile that the draft names, without the draft's settings.
    package func scenario(_ profile: Profile, file: String = "draft") -> Scenario? {
        guard expectations.isEmpty, clauses.isEmpty else { return nil }
        let tuned = tuned(profile)
        var steps: [Step] = []
        for (index, move) in script(tuned).enumerated() {
            let location = SourceLocation(file: file, line: index + 1, column: 1)
            guard move.anchor == nil else { return nil }
            switch move.kind {
            case .rest(let span): steps.append(Step(.pause(span), location: location))
            case .wait: return nil
            case .act(let entry, let arguments):
                guard let made = try? Stimulus.make(entry, arguments, clients: move.clients) else { return nil }
                steps += made.map { Step(.act($0), location: location) }
            }
        }
        return Scenario(file: file, name: file, profile: tuned, clients: clients, script: steps)
    }
}
