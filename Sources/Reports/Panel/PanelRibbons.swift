import SquallCore
import Trace

/// The observables that the web panel draws as ribbons (bars that show a value over time), and their values so far.
struct PanelRibbons: Sendable {
    /// The number of recent values that a ribbon (a bar that shows a value over time) retains.
    static let limitOfSteps = 2_000

    private struct Ribbon: Sendable {
        let id: Int
        let name: ObservedName
        var steps: [Step] = []
    }

    private struct Step: Sendable {
        /// The index of the event that set the value.
        var place: Int
        var time: Instant
        var value: JSON
    }

    private var ribbons: [Ribbon] = []
    private var places: [ObservedName: Int] = [:]
    private var lastID = 0

    /// Updates the ribbons with the next event. Returns whether the list of ribbons has changed.
    mutating func observe(_ event: TraceEvent) -> Bool {
        guard let (name, value) = Self.change(by: event) else { return false }
        let step = Step(place: event.index, time: event.time, value: value)
        if let place = places[name] {
            guard ribbons[place].steps.last?.value != value else { return false }
            ribbons[place].steps.append(step)
            if ribbons[place].steps.count > Self.limitOfSteps + Self.limitOfSteps / 4 {
                ribbons[place].steps.removeFirst(Self.limitOfSteps / 4)
            }
            return false
        }
        // A ribbon begins with its first value other than null, so a banner that was never displayed has no ribbon.
        guard !value.isNull else { return false }
        lastID += 1
        ribbons.append(Ribbon(id: lastID, name: name, steps: [step]))
        dropOldest(of: name.name)
        ribbons.sort { (Self.rank($0.name.name), $0.id) < (Self.rank($1.name.name), $1.id) }
        places = Dictionary(uniqueKeysWithValues: ribbons.enumerated().map { ($1.name, $0) })
        return true
    }

    private static func rank(_ name: String) -> Int {
        StateRibbons.rank(name) ?? (name == "proxy" ? 0 : 1)
    }

    /// Returns the observable whose ribbon an event changes, and the new value; nil if the event changes no ribbon.
    ///
    /// A proxy and each of its connections also have ribbons; their states are reported as events, not as observables.
    private static func change(by event: TraceEvent) -> (ObservedName, JSON)? {
        if case .set(let value) = event.observation.change {
            guard StateRibbons.rank(event.name) != nil else { return nil }
            return (ObservedName(client: event.client, name: event.name, key: event.key), value)
        }
        let proxy = ObservedName(client: event.client, name: "proxy", key: nil)
        let connection = ObservedName(client: event.client, name: "connection", key: event.key)
        return switch event.name {
        case "proxy.listening": (proxy, "listening")
        case "proxy.stopped": (proxy, "disabled")
        case "proxy.removed": (proxy, .null)
        case "link.accepted": (connection, "open")
        case "link.secured": (connection, "secured")
        case "link.requested": (connection, event.fields?["target"] ?? "requested")
        case "link.upstream_failed", "link.handshake_failed": (connection, "failed")
        case "link.over": (connection, .null)
        default: nil
        }
    }

    /// Removes an observable's least recently changed ribbon if the observable has too many of them.
    private mutating func dropOldest(of name: String) {
        let same = ribbons.indices.filter { ribbons[$0].name.name == name }
        guard same.count > StateRibbons.limitPerName else { return }
        let oldest = same.min { (ribbons[$0].steps.last?.place ?? 0) < (ribbons[$1].steps.last?.place ?? 0) }
        if let oldest { ribbons.remove(at: oldest) }
    }

    var json: JSON {
        .array(
            ribbons.map { ribbon in
                [
                    "id": .integer(Int64(ribbon.id)), "name": .string(ribbon.name.name),
                    "key": ribbon.name.key.map { .string($0) } ?? .null,
                    "client": ribbon.name.client.map { .string($0.name) } ?? .null,
                ]
            }
        )
    }

    /// Returns the values set by the events with indices from `first` up to `end`, each as `[id, time, value]`, where
    /// `id` identifies the ribbon.
    func steps(from first: Int, to end: Int) -> [JSON] {
        ribbons.flatMap { ribbon in
            let start = ribbon.steps.lastIndex { $0.place < first }.map { $0 + 1 } ?? 0
            return ribbon.steps[start...].prefix { $0.place < end }.map { step -> JSON in
                [.integer(Int64(ribbon.id)), .integer(step.time.nanoseconds), step.value]
            }
        }
    }
}
