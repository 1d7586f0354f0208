import SquallCore
import Trace

/// Which events of a run the page holds: all, or the most telling ones where there are too many.
struct EventSelection: Hashable, Sendable {
    /// A page that draws more is slow to open and no clearer; the trace has all.
    static let drawnLimit = 10_000
    /// For a run that nobody needs to look into.
    static let passingLimit = 500

    /// Their places in the trace, ascending.
    let places: [Int]

    /// Of more than `limit` events, keeps the evidence, then what the weather, the user and the connection did, then
    /// frames and other events, then what else was shown; of each kind the nearest to `pivot` first.
    init(_ events: [TraceEvent], limit: Int, pivot: Int?, evidence: Set<Int>) {
        guard events.count > limit else {
            places = Array(events.indices)
            return
        }
        let center = pivot ?? 0
        let ranked = events.indices
            .map { place in (rank: evidence.contains(place) ? 0 : Self.rank(events[place]), place: place) }
            .sorted { left, right in
                (left.rank, abs(left.place - center), left.place) < (right.rank, abs(right.place - center), right.place)
            }
        places = ranked.prefix(limit).map(\.place).sorted()
    }

    private static func rank(_ event: TraceEvent) -> Int {
        let isWeather = event.name.hasPrefix("fault.")
        if isWeather || event.name == "connection.state" || event.name == "banner.kind" { return 1 }
        switch event.observation.change {
        case .happened: return event.observation.provenance == .injected ? 1 : 2
        case .set: return event.name == "message.status" ? 2 : 3
        case .inserted, .removed, .replaced: return 4
        }
    }
}
