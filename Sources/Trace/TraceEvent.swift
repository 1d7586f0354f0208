package import SquallCore

/// One event of a trace: an observation with its position, time, client and cause.
package struct TraceEvent: Hashable, Sendable {
    /// The event's position in the trace, counted from 0.
    package var index: Int
    package var time: Instant
    /// The client that the observation is about; nil for observations of the server and the network.
    package var client: ClientID?
    package var observation: Observation
    /// The index of the event that caused this one; nil if the cause is unknown.
    package var cause: Int?
}

extension TraceEvent {
    /// Creates an event without a cause.
    package init(index: Int, time: Instant, client: ClientID?, observation: Observation) {
        self.init(index: index, time: time, client: client, observation: observation, cause: nil)
    }

    @inlinable package var name: String { observation.name }
    @inlinable package var key: String? { observation.key }

    /// Whether the event reports a client metric. Results contain the last value of each metric.
    package var isMetric: Bool { name.hasPrefix(Self.metricPrefix) }
    package static let metricPrefix = "metrics."

    /// The event's fields; nil if the event is a change to an observable.
    package var fields: JSON? {
        if case .happened(let fields) = observation.change { fields } else { nil }
    }
}
