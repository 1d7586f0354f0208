import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// Formats events as `squall serve` prints them.
enum ServedEvents {
    /// Returns one line with the time, the name and the fields of an event; durations are in seconds or milliseconds.
    static func line(_ event: TraceEvent) -> String {
        let name = ObservedName(client: event.client, name: event.name, key: event.key)
        guard let fields = event.fields?.members, !fields.isEmpty else {
            return "\(event.time)  \(name)\(event.observation.change.tail)"
        }
        let durations = Set(
            (Registry.entry(named: event.name)?.fields ?? []).filter { $0.kind == .duration }.map(\.name) + ["after"]
        )
        // Message texts recorded by `squall record` may contain secrets, so they are not printed.
        let hidden: Set<String> =
            switch event.name {
            case "server.said", "server.received.text": ["text"]
            case "server.received.request", "server.sent.response": ["text", "target", "headers", "of_profile"]
            default: []
            }
        let shown = fields.filter { !hidden.contains($0.name) }.map { field in
            guard durations.contains(field.name), let value = field.value.intValue else {
                return "\(field.name): \(field.value.readable)"
            }
            return "\(field.name): \(TimeSpan.milliseconds(TimeSpan(nanoseconds: value).milliseconds))"
        }
        return "\(event.time)  \(name)  \(shown.joined(separator: ", "))"
    }
}
