package import SquallCore

/// The header of a saved trace, with everything needed to repeat the run.
package struct TraceHeader: Hashable, Sendable {
    package enum Clock: String, Hashable, Sendable {
        /// The run used virtual time and no real sockets.
        case sim
        /// The run used real sockets and a clock that skips idle periods.
        case leaping
        /// The run used real sockets and the wall clock.
        case wall
    }

    /// The version of the scenario language.
    package var language: Int
    package var tool: String
    package var scenario: String
    /// The name of the case in the scenario's `with:` table of variants; nil if the scenario has no table.
    package var variant: String?
    package var profile: String
    package var seed: Seed
    package var clock: Clock
    package var defects: [String]
    /// The capabilities that a client under test has declared; nil for Squall's reference client.
    package var client: JSON?

    package init(
        language: Int,
        tool: String,
        scenario: String,
        variant: String?,
        profile: String,
        seed: Seed,
        clock: Clock,
        defects: [String],
        client: JSON? = nil
    ) {
        self.language = language
        self.tool = tool
        self.scenario = scenario
        self.variant = variant
        self.profile = profile
        self.seed = seed
        self.clock = clock
        self.defects = defects
        self.client = client
    }
}

/// The complete record of a run. It is the only input to the run's evaluation.
package struct Recording: Hashable, Sendable {
    package var header: TraceHeader
    package var events: [TraceEvent]
    /// The time at which the run ended, which may be later than its last event.
    package var end: Instant
    package var ending: RunEnding
    /// The actions that were performed, in order. They are not part of the digest, which already covers their effects.
    package var actions: [PerformedAction]

    package init(
        header: TraceHeader,
        events: [TraceEvent],
        end: Instant,
        ending: RunEnding = RunEnding(),
        actions: [PerformedAction] = []
    ) {
        self.header = header
        self.events = events
        self.end = end
        self.ending = ending
        self.actions = actions
    }

    /// Truncates the recording: keeps the first `count` events and the actions up to them, and sets the end to `end`.
    package mutating func cut(to count: Int, end: Instant) {
        events.removeSubrange(min(count, events.count)...)
        actions.removeAll { $0.position > count }
        self.end = end
    }
}
