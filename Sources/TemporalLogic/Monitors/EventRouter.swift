import Foundations
import Trace

/// Whom events matter to, by their name and client; found out once for each route and remembered.
struct EventRouter<Target: Sendable, Destination: Sendable>: Sendable {
    private var readers: [(reading: Reading, target: Target)] = []
    /// Those of one name, by whose events they read; most names come from one client or none, some from a hundred.
    private var readersOfName: [String: [Reading.Source: [Target]]] = [:]
    /// By the number of the route.
    private var destinations: [Destination?] = []

    /// Only before the first ``destination(of:_:make:)``: what was found out is not looked up again.
    mutating func add(_ target: Target, reads reading: Reading) {
        readers.append((reading, target))
    }

    /// Where events of this route go: `make` says so, once, from those that read them.
    mutating func destination(
        of event: TraceEvent,
        _ route: EventRoute,
        make: ([Target]) -> Destination
    ) -> Destination {
        if route.number < destinations.count, let known = destinations[route.number] { return known }
        let bySource = readers(of: event.name)
        let destination = make((bySource[.anyone] ?? []) + (bySource[.client(event.client)] ?? []))
        while destinations.count <= route.number { destinations.append(nil) }
        destinations[route.number] = destination
        return destination
    }

    private mutating func readers(of name: String) -> [Reading.Source: [Target]] {
        if let known = readersOfName[name] { return known }
        var bySource: [Reading.Source: [Target]] = [:]
        for reader in readers where reader.reading.covers(name) {
            bySource[reader.reading.source, default: []].append(reader.target)
        }
        readersOfName[name] = bySource
        return bySource
    }
}
