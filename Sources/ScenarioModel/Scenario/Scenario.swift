package import SquallCore
package import TemporalLogic

/// One case of a scenario file, checked: every name known, every number in its range, every label defined.
package struct Scenario: Sendable {
    /// The file as it was named to the loader.
    package var file: String
    package var name: String
    /// The case of a `with:` table; nil where the file has none.
    package var variant: String?
    package var profile: Profile
    /// Whether somebody asked for the profile in place of the scenario's own.
    package var isProfileForced = false
    package var tags: [String]
    package var clients: [ClientID]
    package var script: [Step]
    package var expectations: [Expectation]
    package var waivers: [Waiver]
    /// How long the run goes on after script and bounds have ended.
    package var playOn: TimeSpan
    package var worlds: Worlds

    /// A standing invariant that this scenario is excused from.
    package struct Waiver: Hashable, Sendable {
        package var invariant: String
        package var reason: String

        package init(invariant: String, reason: String) {
            self.invariant = invariant
            self.reason = reason
        }
    }

    /// Where a scenario can be played.
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
    /// Whether it can be played there.
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
        /// Level: goes on as soon as the condition holds. Edge (`next`): goes on when it comes to hold after this step began.
        case wait(Condition, next: Bool, within: TimeSpan)
    }

    /// What takes a step out of the row.
    package enum Anchor: Sendable {
        case time(Instant)
        /// An event, with the condition's own offset.
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
