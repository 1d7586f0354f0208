package import SquallCore

/// The head of a saved trace: enough to play the same run again.
package struct TraceHeader: Hashable, Sendable {
    package enum Clock: String, Hashable, Sendable {
        /// Virtual time.
        case sim
        /// Real sockets; idle stretches are jumped over.
        case leaping
        /// Real sockets at wall time.
        case wall
    }

    /// The scenario language's version.
    package var language: Int
    package var tool: String
    package var scenario: String
    /// The case of a `with:` table, nil where the file has none.
    package var variant: String?
    package var profile: String
    package var seed: Seed
    package var clock: Clock
    package var defects: [String]
    /// Whose trace it is, where it is not that of Squall's own client: what it said that it can show and do.
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

/// A run as it was seen: the only thing that passes from running to judging.
package struct Recording: Hashable, Sendable {
    package var header: TraceHeader
    package var events: [TraceEvent]
    /// The run's last instant: the moment it was decided, not that of its last event.
    package var end: Instant
    package var ending: RunEnding

    package init(header: TraceHeader, events: [TraceEvent], end: Instant, ending: RunEnding = RunEnding()) {
        self.header = header
        self.events = events
        self.end = end
        self.ending = ending
    }
}
