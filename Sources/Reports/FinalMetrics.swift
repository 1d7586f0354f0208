import ScenarioModel
import SquallCore
import Trace

/// The final metrics of a run's clients: the last value of each observable whose name begins with `metrics.`.
enum FinalMetrics {
    /// Returns an object that maps each client's name to its metrics, or nil if no client reported any.
    static func json(of run: CaseResult) -> JSON? {
        if let saved = run.savedMetrics { return saved }
        var clients: [(client: ClientID, values: JSON)] = []
        for event in run.recording.events where event.isMetric {
            guard let client = event.client, case .set(let value) = event.observation.change else { continue }
            let name = String(event.name.dropFirst(TraceEvent.metricPrefix.count))
            if let index = clients.firstIndex(where: { $0.client == client }) {
                clients[index].values.set(name, to: value)
            } else {
                clients.append((client, .object([JSONMember(name, value)])))
            }
        }
        guard !clients.isEmpty else { return nil }
        return .object(clients.map { JSONMember($0.client.name, $0.values) })
    }
}
