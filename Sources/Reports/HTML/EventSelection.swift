import SquallCore
import Trace

/// The events of a run that are included in the page: all events, or the most important events if there are too many.
struct EventSelection: Hashable, Sendable {
    /// The maximum number of events. A page with more events would be slow to open and no clearer; the trace file
    /// contains all events.
    static let drawnLimit = 10_000

    /// Returns the maximum number of events that the page shows for a passing run: 300, or fewer in a suite of more
    /// than 366 runs, so that the report stays below 2 MB. A passing run needs no investigation.
    static func passingLimit(runCount: Int) -> Int {
        min(300, max(30, 110_000 / max(1, runCount)))
    }

    /// Returns the maximum number of events shown for a failing run that repeats its case's failure in the other world
    /// (simulated or live). Returns nil, meaning no special limit, in a suite of up to 500 runs.
    static func repeatedLimit(runCount: Int) -> Int? { runCount > 500 ? 60 : nil }

    /// The indices in the trace of the selected events, in ascending order.
    let places: [Int]

    /// Selects up to `limit` events: first the evidence, then events about faults, the user and the connection, then
    /// frames and other events, then changes of other observables. Within each class, the events nearest to the index
    /// `pivot` are selected first.
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
