package import SquallCore

/// Turns observations into the events of a trace: numbers them, orders their times, and replaces ids and secrets.
package struct TraceRecorder: Sendable {
    package private(set) var events: [TraceEvent] = []
    private var actions: [PerformedAction] = []
    /// The time of the last event.
    private var latest = Instant.zero
    private var aliases = MessageAliases()
    private var redactor: Redactor
    private var digest = TraceDigest()

    /// Creates an empty trace, in which the redactor replaces the secrets that it knows.
    package init(redactor: Redactor = Redactor()) {
        self.redactor = redactor
    }

    /// Adds a secret that has become known during the run; later events do not contain it.
    package mutating func conceal(_ secret: String, as kind: String) {
        redactor.conceal(secret, as: kind)
    }

    /// The id of the message that this client has sent under the label, or else the first one that any client has sent.
    package func id(of label: String, for client: ClientID) -> String? { aliases.id(of: label, for: client) }

    /// The name of a message or file in the trace: its label, or the id itself if it has none.
    package func name(of id: String) -> String { label(of: id) ?? id }

    /// The label that the scenario has given to the message with this id; nil if there is none.
    package func label(of id: String) -> String? { aliases.label(of: id) }

    /// Appends an observation as an event; see ``next(_:client:at:cause:)``.
    @discardableResult
    package mutating func record(
        _ observation: consuming Observation,
        client: ClientID?,
        at time: Instant,
        cause: Int?
    ) -> TraceEvent {
        let event = next(observation, client: client, at: time, cause: cause)
        append(event)
        return event
    }

    /// Turns an observation into the event to append next, with labels in place of ids.
    ///
    /// A time before that of the last event is raised to it, so that a trace never runs backwards. A cause that is not
    /// an earlier event of this trace is dropped.
    ///
    /// ``append(_:)`` is separate, so that the caller can pass the event to monitors first and then hand it over
    /// without a copy.
    package mutating func next(
        _ observation: consuming Observation,
        client: ClientID?,
        at time: Instant,
        cause: Int?
    ) -> TraceEvent {
        latest = events.isEmpty ? time : max(latest, time)
        aliases.rename(&observation, of: client)
        if !redactor.isEmpty { observation = redactor.redact(observation) }
        return TraceEvent(
            index: events.count,
            time: latest,
            client: client,
            observation: observation,
            cause: cause.flatMap { events.indices.contains($0) ? $0 : nil }
        )
    }

    /// Appends an event that ``next(_:client:at:cause:)`` has returned.
    package mutating func append(_ event: consuming TraceEvent) {
        digest.add(event)
        events.append(event)
    }

    /// Notes an action before its first event.
    package mutating func note(_ action: PerformedAction) {
        actions.append(action)
    }

    /// The ``Recording/digest`` of the recording if it ends at this time.
    package func digest(endingAt end: Instant) -> String {
        digest.text(endingAt: end)
    }

    package func recording(_ header: TraceHeader, end: Instant, ending: RunEnding = RunEnding()) -> Recording {
        Recording(header: header, events: events, end: end, ending: ending, actions: actions)
    }
}
