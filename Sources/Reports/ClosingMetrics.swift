import ScenarioModel
import SquallCore
import Trace

/// The metrics of a run's clients when it ended: the last value of each `metrics.` observable.
enum ClosingMetrics {
    /// An object of metrics for each client's name; nil when no client has reported any.
    static func json(of run: CaseResult) -> JSON? {
        if let saved = run.savedMetrics { return saved }
        var clients: [(client: ClientID, values: JSON)] = []
        for event in run.recording.events where event.isMetric {
            guard let client = event.client, case .set(let value) = event.observation.change else { continue }
            let name = String(event.name.dropFirst(TraceEvent.metricPrefix.count))
            if let place = clients.firstIndex(where: { $0.client == client }) {
                clients[place].values.set(name, to: value)
            } else {
                clients.append((client, .object([JSONMember(name, value)])))
            }
        }
        guard !clients.isEmpty else { return nil }
        return .object(clients.map { JSONMember($0.client.name, $0.values) })
    }
}
