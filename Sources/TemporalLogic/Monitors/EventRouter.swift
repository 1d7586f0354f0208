import Foundations
import Trace

/// Whom events matter to, by their name and client; found out once for each route and remembered.
struct EventRouter<Target: Sendable, Destination: Sendable>: Sendable {
    private typealias Readers = [Reading.Source: [Target]]

    /// By the name they read, and whose events: most names come from one client or none, some from a hundred.
    private var readers: [String: Readers] = [:]
    /// Those who read every name below theirs, too.
    private var readersBelow: [(name: String, readers: Readers)] = []
    /// By the number of the route.
    private var destinations: [Destination?] = []

    /// Only before the first ``destination(of:_:make:)``: what was found out is not looked up again.
    mutating func add(_ target: Target, reads reading: Reading) {
        guard reading.reachesBelow else {
            readers[reading.name, default: [:]][reading.source, default: []].append(target)
            return
        }
        let place = readersBelow.firstIndex { $0.name == reading.name } ?? readersBelow.endIndex
        if place == readersBelow.endIndex { readersBelow.append((reading.name, [:])) }
        readersBelow[place].readers[reading.source, default: []].append(target)
    }

    /// Where events of this route go: `make` says so, once, from those that read them.
    mutating func destination(
        of event: TraceEvent,
        _ route: EventRoute,
        make: ([Target]) -> Destination
    ) -> Destination {
        if route.number < destinations.count, let known = destinations[route.number] { return known }
        let destination = make(targets(of: event))
        while destinations.count <= route.number { destinations.append(nil) }
        destinations[route.number] = destination
        return destination
    }

    private func targets(of event: TraceEvent) -> [Target] {
        var targets: [Target] = []
        if let readers = readers[event.name] { Self.add(readers, of: event.client, to: &targets) }
        for place in readersBelow.indices where readersBelow[place].name.covers(event.name) {
            Self.add(readersBelow[place].readers, of: event.client, to: &targets)
        }
        return targets
    }

    private static func add(_ readers: Readers, of client: ClientID?, to targets: inout [Target]) {
        if let anyones = readers[.anyone] { targets += anyones }
        if let own = readers[.client(client)] { targets += own }
    }
}
