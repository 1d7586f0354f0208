package import SquallCore
package import TemporalLogic

/// One case of a scenario file, validated: all names are known, all numbers are in range, and all labels are defined.
package struct Scenario: Sendable {
    /// The path of the file, as passed to the loader.
    package var file: String
    package var name: String
    /// The name of the case in a `with:` table; nil if the file has no such table.
    package var variant: String?
    /// The lines of the case's row in the `with:` table, and the lines of the whole table; nil if the file has no such
    /// table.
    package var rows: (own: ClosedRange<Int>, table: ClosedRange<Int>)?
    package var profile: Profile
    /// Whether a profile specified on the command line replaced the profile that the scenario names.
    package var isProfileForced = false
    package var tags: [String]
    package var clients: [ClientID]
    package var script: [Step]
    package var expectations: [Expectation]
    package var waivers: [Waiver]
    /// The minimum time for which the run continues after the script.
    package var playOn: TimeSpan
    package var worlds: Worlds

    /// An invariant (a rule that is checked in every run) that is not checked in this scenario.
    package struct Waiver: Hashable, Sendable {
        package var invariant: String
        package var reason: String

        package init(invariant: String, reason: String) {
            self.invariant = invariant
            self.reason = reason
        }
    }

    /// The environments (worlds) in which a scenario can be run: simulated, live, or both.
    package enum Worlds: Hashable, Sendable {
        case both
        case simOnly(why: String)
        case liveOnly(why: String)
    }

    package init(
        file: String,
        name: String,
        variant: String? = nil,
        profile: Profile = Profile(),
        tags: [String] = [],
        clients: [ClientID] = [.only],
        script: [Step] = [],
        expectations: [Expectation] = [],
        waivers: [Waiver] = [],
        playOn: TimeSpan = .zero,
        worlds: Worlds = .both
    ) {
        self.file = file
        self.name = name
        self.variant = variant
        self.profile = profile
        self.tags = tags
        self.clients = clients
        self.script = script
        self.expectations = expectations
        self.waivers = waivers
        self.playOn = playOn
        self.worlds = worlds
    }
}

extension Scenario {
    /// Returns whether a line number selects this case. Any line in the case's own row does, as does any line outside
    /// the `with:` table.
    package func isAt(line: Int) -> Bool {
        guard let rows, rows.table.contains(line) else { return true }
        return rows.own.contains(line)
    }

    /// Returns whether the scenario can be run in a world (simulated or live).
    package func allows(_ world: World) -> Bool {
        switch (worlds, world) {
        case (.both, _), (.simOnly, .sim), (.liveOnly, .live): true
        case (.simOnly, .live), (.liveOnly, .sim): false
        }
    }
}

/// One step of a script.
package struct Step: Sendable {
    package enum Kind: Sendable {
        case act(Stimulus)
        case pause(TimeSpan)
        /// Wait until the condition holds. With `next`, the condition must become true after the step has begun.
        case wait(Condition, next: Bool, within: TimeSpan)
    }

    /// The trigger of a step with `at:`. Such a step is not run in script order.
    package enum Anchor: Sendable {
        case time(Instant)
        /// An event, optionally with a time offset after it.
        case event(Condition)
    }

    package var kind: Kind
    package var anchor: Anchor?
    package var location: SourceLocation

    package init(_ kind: Kind, anchor: Anchor? = nil, location: SourceLocation) {
        self.kind = kind
        self.anchor = anchor
        self.location = location
    }
}
