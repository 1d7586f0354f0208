import ScenarioModel
import SquallCore
package import Trace

/// The sequence of values that each observable takes in a run, without times. In two runs with equal series, every
/// observable makes the same transitions.
///
/// Messages and files are numbered in the order of their first event, so that labels and ids do not matter.
package struct ShownSeries: Hashable, Sendable {
    private var series: [ObservedName: [Change]] = [:]

    /// Creates the series from a recording.
    ///
    /// - Parameter sees: A closure that returns whether to compare a name.
    package init(_ recording: Recording, sees: (String) -> Bool = { _ in true }) {
        var numbers: [String: String] = [:]
        var values: [ObservedName: JSON] = [:]
        var known: [String: RegistryEntry?] = [:]
        func number(_ key: String) -> String {
            if let number = numbers[key] { return number }
            let number = "#\(numbers.count + 1)"
            numbers[key] = number
            return number
        }
        func number(_ item: JSON) -> JSON { item.stringValue.map { .string(number($0)) } ?? item }
        for event in recording.events {
            // If the profile defines frames, Squall's own client reports an unknown message as `client.unknown_frame`,
            // which is compared as `client.received.text`.
            let word = event.name == "client.unknown_frame" ? "client.received.text" : event.name
            let entry = known[word] ?? Self.compared(word, sees)
            known[word] = entry
            guard let entry else { continue }
            let hasMessage = entry.key == "message" || entry.key == "upload"
            let key = hasMessage ? event.key.map { number($0) } : event.key
            // Events from an external server are recorded per client but those from Squall's own server are not, so the
            // client is ignored.
            let client = event.name.hasPrefix("server.") ? nil : event.client
            let name = ObservedName(client: client, name: word, key: key)
            var change = event.observation.change
            switch change {
            case .happened: change = .happened(.object([]))
            case .set(.array(let items)) where MessageAliases.lists.contains(event.name):
                change = .set(.array(items.map { number($0) }))
            case .set(let item) where MessageAliases.references.contains(event.name): change = .set(number(item))
            case .inserted(let index, let item) where MessageAliases.lists.contains(event.name):
                change = .inserted(at: index, number(item))
            case .replaced(let index, let item) where MessageAliases.lists.contains(event.name):
                change = .replaced(at: index, number(item))
            case .set, .inserted, .replaced, .removed: break
            }
            if case .set(let value) = change {
                guard values[name] != value else { continue }
                values[name] = value
            }
            series[name, default: []].append(change)
        }
    }

    /// Returns the registry entry of a name that is compared: an exact observable, or an event that every client
    /// causes. Returns nil for other names and for names that `sees` excludes.
    private static func compared(_ name: String, _ sees: (String) -> Bool) -> RegistryEntry? {
        guard let entry = Registry.entry(named: name), sees(name), !name.hasPrefix(TraceEvent.metricPrefix) else {
            return nil
        }
        if entry.kind == .event { return events.contains(name) ? entry : nil }
        return entry.parity == .exact && !details.contains(name) ? entry : nil
    }

    private static let events: Set = [
        "client.connected", "client.disconnected", "client.received.message", "server.stored", "client.received.text",
        "server.said", "server.received.text",
    ]
    /// Connection observables that are invisible to the user and that other client implementations count differently.
    private static let details: Set = ["connection.open_sockets"]

    /// Returns the first name, in alphabetical order, whose series differs, along with the length of its series in this
    /// recording (`here`) and in `other` (`there`). Returns nil if all series are equal.
    package func difference(from other: ShownSeries) -> (name: ObservedName, here: Int, there: Int)? {
        let names = Set(series.keys).union(other.series.keys)
        // The names are sorted to make the result deterministic.
        return names.sorted { "\($0)" < "\($1)" }.first { series[$0] != other.series[$0] }
            .map { ($0, series[$0]?.count ?? 0, other.series[$0]?.count ?? 0) }
    }

    /// Whether the recording contains nothing to compare.
    package var isEmpty: Bool { series.isEmpty }
}
