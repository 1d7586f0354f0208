import SquallCore
import Trace

/// Buffers the events and met conditions of one instant until it is known which of them are inside the scope.
///
/// If a state opens or closes a scope, this is known only at the end of the instant. Until then, everything that
/// happens at the instant is buffered as an ``Item``. The items are then sorted by their positions in the trace: items
/// after the change that opened the scope are inside it, and items after the change that closed it are outside.
struct InstantBuffer: Sendable {
    enum Item: Sendable {
        /// The condition that closes the scope was met.
        case close(Occurrence)
        /// One of the operator's conditions was met.
        case met(Occurrence, condition: Int)
        /// An event that the operator reads directly, with the state after the event.
        case read(TraceEvent, ObservedState)
        /// The condition that opens the scope was met.
        case open(Occurrence)

        /// The sort key of the item: its position in the trace, then its kind. Among items of the same event, scope
        /// ends sort first and scope starts last.
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
    private var items: [Item] = []

    mutating func begin() { isOn = true }

    mutating func add(_ item: Item) { items.append(item) }

    /// Stops buffering and returns the items in order.
    ///
    /// Observables that change in one step change simultaneously, so a change that shares its cause with the change
    /// that opens the scope counts as preceding it.
    mutating func end() -> [Item] {
        isOn = false
        defer { items.removeAll() }
        var openings: [Int: Int] = [:]
        for case .open(let occurrence) in items {
            if let cause = occurrence.cause { openings[cause] = occurrence.order }
        }
        let ranked = items.enumerated().map { index, item in
            var rank = item.rank
            if case .read(let event, _) = item, let cause = event.cause, let opening = openings[cause] {
                if case .happened = event.observation.change {} else { rank.order = min(rank.order, opening) }
            }
            return (item: item, order: rank.order, kind: rank.kind, index: index)
        }
        return ranked.sorted { ($0.order, $0.kind, $0.index) < ($1.order, $1.kind, $1.index) }.map(\.item)
    }
}
