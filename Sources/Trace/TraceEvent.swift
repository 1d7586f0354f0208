package import Foundations

/// One entry of a trace.
package struct TraceEvent: Hashable, Sendable {
    /// Position in the trace, from 0.
    package var index: Int
    package var time: Instant
    /// Whose observation it is; nil for the server's and the network's own.
    package var client: ClientID?
    package var observation: Observation
    /// The index of the event that led to this one, where it is known.
    package var cause: Int?

    package init(index: Int, time: Instant, client: ClientID?, observation: Observation, cause: Int?) {
        self.index = index
        self.time = time
        self.client = client
        self.observation = observation
        self.cause = cause
    }

    @inlinable package var name: String { observation.name }
    @inlinable package var key: String? { observation.key }

    /// The fields of an event, nil for a change of an observable.
    package var fields: JSON? {
        if case .happened(let fields) = observation.change { fields } else { nil }
    }
}
