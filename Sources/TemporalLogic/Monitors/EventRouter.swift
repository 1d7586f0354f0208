import SquallCore
import Trace

/// Finds the targets (monitors or watches) that read events with a given name and client, and caches the results per
/// event name and per route.
struct EventRouter<Target: Sendable, Destination: Sendable>: Sendable {
    /// The targets that read events with one name, grouped by client. Most names are read for at most one client, but
    /// some for a hundred.
    private struct Readers {
        var anyones: [Target] = []
        var own: [ClientID?: [Target]] = [:]

        mutating func add(_ target: Target, _ source: EventSubscription.Source) {
            switch source {
            case .anyClient: anyones.append(target)
            case .client(let client): own[client, default: []].append(target)
            }
        }

        mutating func add(_ others: Readers) {
            anyones += others.anyones
            for (client, targets) in others.own { own[client, default: []] += targets }
        }
    }

    /// For each event name, the targets that read the events with exactly that name.
    private var readers: [String: Readers] = [:]
    /// For each event name, the targets that read the events with this name or any name below it.
    private var readersBelow: [(name: String, readers: Readers)] = []
    /// The cache of all targets for an event name, indexed by the number assigned to the name.
    private var readersOfName: [Readers?] = []
    /// The cache of destinations, indexed by the number assigned to the route.
    private var destinations: [Destination?] = []

    /// Adds a target for the events that `reading` describes.
    ///
    /// Must not be called after the first call to ``targets(of:_:)``, because that method caches its results.
    mutating func add(_ target: Target, reads reading: EventSubscription) {
        assert(readersOfName.isEmpty, "a reader was added after the first lookup")
        guard reading.reachesBelow else {
            readers[reading.name, default: Readers()].add(target, reading.source)
            return
        }
        let index = readersBelow.firstIndex { $0.name == reading.name } ?? readersBelow.endIndex
        if index == readersBelow.endIndex { readersBelow.append((reading.name, Readers())) }
        readersBelow[index].readers.add(target, reading.source)
    }

    /// The destination of a route; nil until the caller has computed it from ``targets(of:_:)`` and stored it here.
    subscript(route: EventRoute) -> Destination? {
        get { route.number < destinations.count ? destinations[route.number] : nil }
        set {
            while destinations.count <= route.number { destinations.append(nil) }
            destinations[route.number] = newValue
        }
    }

    /// Returns the targets that read an event on this route, in no particular order.
    mutating func targets(of event: TraceEvent, _ route: EventRoute) -> [Target] {
        let readers = readers(of: event.name, route.name)
        guard !readers.own.isEmpty, let own = readers.own[event.client] else { return readers.anyones }
        return readers.anyones + own
    }

    private mutating func readers(of name: String, _ number: Int) -> Readers {
        if number < readersOfName.count, let known = readersOfName[number] { return known }
        var all = readers[name] ?? Readers()
        for index in readersBelow.indices where readersBelow[index].name.covers(name) {
            all.add(readersBelow[index].readers)
        }
        while readersOfName.count <= number { readersOfName.append(nil) }
        readersOfName[number] = all
        return all
    }
}
