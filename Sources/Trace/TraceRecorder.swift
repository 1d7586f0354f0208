package import SquallCore

/// Converts observations to trace events: assigns indices, keeps times in order, and replaces ids and secrets.
package struct TraceRecorder: Sendable {
    package private(set) var events: [TraceEvent] = []
    private var actions: [PerformedAction] = []
    /// The time of the last event.
    private var latest = Instant.zero
    private var aliases = MessageAliases()
    private var redactor: Redactor
    private var digest = TraceDigest()

    /// Creates an empty trace. The secrets known to `redactor` are replaced in everything that is recorded.
    package init(redactor: Redactor = Redactor()) {
        self.redactor = redactor
    }

    /// Registers a secret that became known during the run. It is redacted in all later events.
    package mutating func conceal(_ secret: String, as kind: String) {
        redactor.conceal(secret, as: kind)
    }

    /// Returns the id of the message that `client` sent with the label. If there is none, returns the id of the first
    /// message that any client sent with it.
    ///
    /// Returns nil if the label has not been used yet.
    package func id(of label: String, for client: ClientID) -> String? { aliases.id(of: label, for: client) }

    /// Returns the name of a message or file in the trace: its label, or its id if it has none.
    package func name(of id: String) -> String { label(of: id) ?? id }

    /// Returns the label that the scenario assigned to the message or file with this id; nil if there is none.
    package func label(of id: String) -> String? { aliases.label(of: id) }

    /// Appends an observation as an event and returns the event; see ``next(_:client:at:cause:)``.
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

    /// Converts an observation to the next event, with labels in place of ids.
    ///
    /// A time earlier than the last event's is replaced with the last event's time, so that times in a trace never
    /// decrease. A cause that is not an earlier event of this trace is dropped.
    ///
    /// The event is not appended: the caller passes it to monitors first and then to ``append(_:)``, which takes it
    /// without copying.
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

    /// Records an action. Call it before the first event that the action causes is recorded.
    package mutating func note(_ action: PerformedAction) {
        actions.append(action)
    }

    /// Returns the ``Recording/digest`` that the recording would have if it ended at `end`.
    package func digest(endingAt end: Instant) -> String {
        digest.text(endingAt: end)
    }

    package func recording(_ header: TraceHeader, end: Instant, ending: RunEnding = RunEnding()) -> Recording {
        Recording(header: header, events: events, end: end, ending: ending, actions: actions)
    }
}
