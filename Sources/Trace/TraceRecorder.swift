package import SquallCore

/// Puts what the machines say in order: the only way in which a trace grows.
package struct TraceRecorder: Sendable {
    package private(set) var events: [TraceEvent] = []
    /// The time of the last event.
    private var latest = Instant.zero
    private var aliases = MessageAliases()
    private var redactor: Redactor
    private var digest = TraceDigest()

    /// Secrets that the redactor knows never enter the trace.
    package init(redactor: Redactor = Redactor()) {
        self.redactor = redactor
    }

    /// Keeps a secret that has come up during the run out of what follows.
    package mutating func conceal(_ secret: String, as kind: String) {
        redactor.conceal(secret, as: kind)
    }

    /// What the machines call the message that this client, else anybody, has sent under that label.
    package func id(of label: String, for client: ClientID) -> String? { aliases.id(of: label, for: client) }

    /// Adds one observation; see ``next(_:client:at:cause:)``.
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

    /// Makes of one observation the event that is to be appended next, under the scenario's names.
    ///
    /// A trace never runs backwards: an earlier instant counts as that of the event before. A cause that is no earlier
    /// event of this trace is dropped. Apart from ``append(_:)`` so that whoever has shown the event around gives it away
    /// whole: it is made once and never copied.
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

    package mutating func append(_ event: consuming TraceEvent) {
        digest.add(event)
        events.append(event)
    }

    /// What ``Recording/digest`` of the finished recording will be.
    package func digest(endingAt end: Instant) -> String {
        digest.text(endingAt: end)
    }

    package func recording(_ header: TraceHeader, end: Instant, ending: RunEnding = RunEnding()) -> Recording {
        Recording(header: header, events: events, end: end, ending: ending)
    }
}
