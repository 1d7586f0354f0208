import SquallCore
import Trace

/// Whom events matter to, by their name and client; found out once for each name and each route, and remembered.
struct EventRouter<Target: Sendable, Destination: Sendable>: Sendable {
    /// By whose events they read: most names come from one client or none, some from a hundred.
    private struct Readers {
        var anyones: [Target] = []
        var own: [ClientID?: [Target]] = [:]

        mutating func add(_ target: Target, _ source: Reading.Source) {
            switch source {
            case .anyone: anyones.append(target)
            case .client(let client): own[client, default: []].append(target)
            }
        }

        mutating func add(_ others: Readers) {
            anyones += others.anyones
            for (client, targets) in others.own { own[client, default: []] += targets }
        }
    }

    /// By the name they read.
    private var readers: [String: Readers] = [:]
    /// Those who read every name below theirs, too.
    private var readersBelow: [(name: String, readers: Readers)] = []
    /// By the number of an event's name, both.
    private var readersOfName: [Readers?] = []
    /// By the number of the route.
    private var destinations: [Destination?] = []

    /// Only before the first ``targets(of:_:)``: what was found out is not looked up again.
    mutating func add(_ target: Target, reads reading: Reading) {
        guard reading.reachesBelow else {
            readers[reading.name, default: Readers()].add(target, reading.source)
            return
        }
        let place = readersBelow.firstIndex { $0.name == reading.name } ?? readersBelow.endIndex
        if place == readersBelow.endIndex { readersBelow.append((reading.name, Readers())) }
        readersBelow[place].readers.add(target, reading.source)
    }

    /// Where events of this route go; nil until that was said, of which ``targets(of:_:)`` are the ground.
    subscript(route: EventRoute) -> Destination? {
        get { route.number < destinations.count ? destinations[route.number] : nil }
        set {
            while destinations.count <= route.number { destinations.append(nil) }
            destinations[route.number] = newValue
        }
    }

    /// Those who read events of this route, in no order.
    mutating func targets(of event: TraceEvent, _ route: EventRoute) -> [Target] {
        let readers = readers(of: event.name, route.name)
        guard !readers.own.isEmpty, let own = readers.own[event.client] else { return readers.anyones }
        return readers.anyones + own
    }

    private mutating func readers(of name: String, _ number: Int) -> Readers {
        if number < readersOfName.count, let known = readersOfName[number] { return known }
        var all = readers[name] ?? Readers()
        for place in readersBelow.indices where readersBelow[place].name.covers(name) {
            all.add(readersBelow[place].readers)
        }
        while readersOfName.count <= number { readersOfName.append(nil) }
        readersOfName[number] = all
        return all
    }
}
