package import SquallCore

/// The header of a saved trace, with everything needed to repeat the run.
package struct TraceHeader: Hashable, Sendable {
    package enum Clock: String, Hashable, Sendable {
        /// Virtual time.
        case sim
        /// Real sockets; the clock skips idle periods.
        case leaping
        /// Real sockets at wall time.
        case wall
    }

    /// The scenario language's version.
    package var language: Int
    package var tool: String
    package var scenario: String
    /// The case of the scenario's `with:` table; nil if the scenario has none.
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

/// The complete record of a run, and the only input of its evaluation.
package struct Recording: Hashable, Sendable {
    package var header: TraceHeader
    package var events: [TraceEvent]
    /// The time at which the run was ended, which may be later than its last event.
    package var end: Instant
    package var ending: RunEnding
    /// The actions that were performed, in order; not part of the digest, since their effects are.
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

    /// Keeps the first `count` events and ends the recording at `end`.
    package mutating func cut(to count: Int, end: Instant) {
        events.removeSubrange(min(count, events.count)...)
        actions.removeAll { $0.position > count }
        self.end = end
    }
}
