import SquallCore
import Trace

/// The parts of an instant that are buffered while it is unclear on which side of a scope boundary they fall.
///
/// If a state opens or closes a scope, this is known only at the end of the instant. Parts after the change that opened
/// the scope are inside it; parts after the change that closed it are outside. So the parts are buffered, and sorted
/// when the instant ends.
struct HeldInstant: Sendable {
    enum Part: Sendable {
        /// The scope closes here.
        case close(Occurrence)
        /// One of the operator's conditions was met.
        case met(Occurrence, condition: Int)
        /// An event that the operator reads directly, with the state after the event.
        case read(TraceEvent, ObservedState)
        /// The scope opens here.
        case open(Occurrence)

        /// The part's position in the trace. Of the parts with the same event, one that closes the scope comes first,
        /// and one that opens it comes last.
        fileprivate var rank: (order: Int, kind: Int) {
            switch self {
            case .close(let occurrence): (occurrence.order, 0)
            case .met(let occurrence, _): (occurrence.order, 1)
            case .read(let event, _): (event.index, 2)
            case .open(let occurrence): (occurrence.order, 3)
            }
        }
    }

    private(set) var isOn = false
    private var parts: [Part] = []

    mutating func begin() { isOn = true }

    mutating func add(_ part: Part) { parts.append(part) }

    /// Stops buffering and returns the parts in order.
    ///
    /// Observables that change in one step change simultaneously, so a change with the same cause as the change that
    /// opens the scope counts as preceding it.
    mutating func end() -> [Part] {
        isOn = false
        defer { parts.removeAll() }
        var openings: [Int: Int] = [:]
        for case .open(let occurrence) in parts {
            if let cause = occurrence.cause { openings[cause] = occurrence.order }
        }
        let ranked = parts.enumerated().map { place, part in
            var rank = part.rank
            if case .read(let event, _) = part, let cause = event.cause, let opening = openings[cause] {
                if case .happened = event.observation.change {} else { rank.order = min(rank.order, opening) }
            }
            return (part: part, order: rank.order, kind: rank.kind, place: place)
        }
        return ranked.sorted { ($0.order, $0.kind, $0.place) < ($1.order, $1.kind, $1.place) }.map(\.part)
    }
}
