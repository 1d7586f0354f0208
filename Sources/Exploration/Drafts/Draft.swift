package import ScenarioModel
package import SquallCore

/// A scenario as a list of moves that can be changed: generated, mutated or shrunk, and then written to a file.
///
/// A generated draft has two phases. In the storm anything happens; then comes a calm, in which everything is healed
/// and no client is touched for so long that all of them must have recovered.
package struct Draft: Hashable, Sendable {
    /// A value of the profile that the scenario sets.
    package struct Setting: Hashable, Sendable {
        package var name: String
        package var value: ArgumentValue

        package init(_ name: String, _ value: ArgumentValue) {
            self.name = name
            self.value = value
        }
    }

    /// Several clients with one prefix.
    package struct Group: Hashable, Sendable {
        package var name: String
        package var members: [ClientID]

        package init(name: String, members: [ClientID]) {
            self.name = name
            self.members = members
        }
    }

    /// A key of a file that is kept unchanged, with its value as YAML.
    package struct Clause: Hashable, Sendable {
        package var key: String
        package var value: String

        package init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    package enum Ending: Hashable, Sendable {
        /// The calm, in full.
        case calm
        /// A run that a violation ended needs only this pause, or only this much of the calm.
        case cut(calm: Bool, pause: TimeSpan)
        /// The draft was read from a file, whose steps are all in ``Draft/body``.
        case none
    }

    package var profile: String
    package var settings: [Setting]
    package var clients: [ClientID]
    package var groups: [Group]
    /// What happens before the first fault.
    package var opening: [Move]
    /// The storm.
    package var body: [Move]
    package var ending: Ending
    /// The expectations, as YAML.
    package var expectations: [String]
    /// The remaining keys of a file.
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

    /// How many steps the script has before the calm.
    package var size: Int { opening.count + body.count }

    /// The verbs of the moves in order, without pauses: two drafts with the same skeleton tell the same story.
    package var skeleton: [String] { moves.compactMap(\.name) }
}

extension Draft {
    /// The profile with the draft's settings.
    package func tuned(_ profile: Profile) -> Profile {
        var profile = profile
        for setting in settings { Profile.field(named: setting.name)?.set(&profile, setting.value) }
        return profile
    }

    /// The steps of the whole script, the ending included.
    package func script(_ profile: Profile) -> [Move] {
        switch ending {
        case .none: moves
        case .calm: moves + Calm(after: self, profile).moves
        case .cut(calm: true, let pause): moves + Calm(after: self, profile).healing + [.rest(pause)]
        case .cut(calm: false, let pause): moves + [.rest(pause)]
        }
    }

    /// The scenario that reading the draft's file would give; nil if a move is invalid, or only a YAML reader
    /// can understand it.
    ///
    /// - Parameter profile: The profile of the draft's name, without the draft's settings.
    package func scenario(_ profile: Profile, file: String = "draft") -> Scenario? {
        guard expectations.isEmpty, clauses.isEmpty else { return nil }
        let tuned = tuned(profile)
        var steps: [Step] = []
        for (place, move) in script(tuned).enumerated() {
            let location = SourceLocation(file: file, line: place + 1, column: 1)
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
