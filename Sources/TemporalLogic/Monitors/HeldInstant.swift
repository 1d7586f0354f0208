import SquallCore
import Trace

/// What has happened at an instant since it has been in doubt where in it a scope opens or closes.
///
/// A state is settled when its instant is over; what comes behind the change that opened a scope by it is in the scope, what
/// comes behind the change that closed it is not. So it is kept, and told in order once the change is known.
struct HeldInstant: Sendable {
    enum Part: Sendable {
        /// The scope closes here.
        case close(Occurrence)
        /// One of the word's conditions was met.
        case met(Occurrence, condition: Int)
        /// Something that the word itself reads, with what was shown after it.
        case read(TraceEvent, ObservedState)
        /// The scope opens here.
        case open(Occurrence)

        /// By the trace; of one event, what closes a scope comes before what is in it, what opens it after.
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

    /// All of it in order; nothing is held back any more.
    ///
    /// Observables that change in one step are shown together: those that change with the one that opens the scope are what
    /// is there as it opens.
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
