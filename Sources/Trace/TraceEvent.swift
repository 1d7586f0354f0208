package import SquallCore

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
}

extension TraceEvent {
    /// One that no run has led to.
    package init(index: Int, time: Instant, client: ClientID?, observation: Observation) {
        self.init(index: index, time: time, client: client, observation: observation, cause: nil)
    }

    @inlinable package var name: String { observation.name }
    @inlinable package var key: String? { observation.key }

    /// Whether it is a figure that a client keeps of itself, the last of which stands in results.
    package var isMetric: Bool { name.hasPrefix(Self.metricPrefix) }
    package static let metricPrefix = "metrics."

    /// The fields of an event, nil for a change of an observable.
    package var fields: JSON? {
        if case .happened(let fields) = observation.change { fields } else { nil }
    }
}
