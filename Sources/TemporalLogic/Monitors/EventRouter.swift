import Foundations

/// Whom events matter to, by their name and client; found out once for each pair and remembered.
struct EventRouter<Target: Sendable, Destination: Sendable>: Sendable {
    private struct Route: Hashable, Sendable {
        let name: String
        let client: ClientID?
    }

    private var readers: [Reading.Source: [(reading: Reading, target: Target)]] = [:]
    private var routes: [Route: Destination] = [:]

    /// Only before the first ``destination(of:_:make:)``: what was found out is not looked up again.
    mutating func add(_ target: Target, reads reading: Reading) {
        readers[reading.source, default: []].append((reading, target))
    }

    /// Where events of this name and client go: `make` says so, once, from those that read them.
    mutating func destination(
        of name: String,
        _ client: ClientID?,
        make: ([Target]) -> Destination
    ) -> Destination {
        let route = Route(name: name, client: client)
        if let known = routes[route] { return known }
        var found: [Target] = []
        for source in [Reading.Source.anyone, .client(client)] {
            for reader in readers[source] ?? [] where reader.reading.covers(name) { found.append(reader.target) }
        }
        let destination = make(found)
        routes[route] = destination
        return destination
    }
}
