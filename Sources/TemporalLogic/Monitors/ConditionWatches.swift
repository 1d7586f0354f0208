package import SquallCore
package import Trace

/// Follows the conditions that a script waits for, telling each only of what it reads.
package struct ConditionWatches: Sendable {
    /// One tracker of one watch.
    private struct Target: Hashable, Sendable {
        let watch: Int
        let tracker: Int
    }

    private var watches: [ConditionWatch]
    /// Those that somebody still waits for.
    private var wanted: [Bool]
    private var router = EventRouter<Target, [Target]>()
    /// Told something since the last step was over.
    private var unsettled: [Target] = []
    private var order = -1
    private var nextMoved = Instant.never
    /// Whether anything may have changed since ``settle()`` was last asked.
    private var isTouched = true

    /// `clients` are those whom a group stands for.
    package init(_ conditions: [Condition], clients: [ClientID]) {
        watches = conditions.map { ConditionWatch($0, clients: clients) }
        wanted = watches.map { _ in true }
        for (watch, entry) in watches.enumerated() {
            for (tracker, readings) in entry.readings.enumerated() {
                for reading in readings { router.add(Target(watch: watch, tracker: tracker), reads: reading) }
            }
        }
    }

    /// The watch of the condition at that place.
    package subscript(_ watch: Int) -> ConditionWatch { watches[watch] }

    /// `route` is what ``MonitorSet/observe(_:)`` says of the event.
    package mutating func observe(_ event: TraceEvent, _ route: EventRoute, in state: ObservedState) {
        order = event.index
        for target in targets(of: event, route) where wanted[target.watch] {
            watches[target.watch].observe(event, in: state, tracker: target.tracker)
            unsettled.append(target)
        }
    }

    private mutating func targets(of event: TraceEvent, _ route: EventRoute) -> [Target] {
        if let known = router[route] { return known }
        // A condition may read one event for several reasons; it is told once.
        let found = router.targets(of: event, route)
        let targets = found.enumerated().filter { !found[..<$0.offset].contains($0.element) }.map(\.element)
        router[route] = targets
        return targets
    }

    /// A step is over; false where it changed nothing that is waited for.
    package mutating func settle() -> Bool {
        for target in unsettled {
            watches[target.watch].settle(tracker: target.tracker)
            if let due = watches[target.watch].nextDue { nextMoved = min(nextMoved, due) }
        }
        defer { isTouched = false }
        let changed = isTouched || !unsettled.isEmpty
        unsettled.removeAll(keepingCapacity: true)
        return changed
    }

    /// Time has come to this instant: moments that an offset moved ahead may be due.
    package mutating func advance(to time: Instant) {
        guard nextMoved <= time else { return }
        nextMoved = .never
        for watch in watches.indices where wanted[watch] {
            watches[watch].advance(to: time, order: order)
            if let due = watches[watch].nextDue { nextMoved = min(nextMoved, due) }
        }
        isTouched = true
    }

    /// When the first moment moved ahead by an offset comes, of those still waited for.
    package var nextDue: Instant? { nextMoved == .never ? nil : nextMoved }

    /// Nobody waits for it any more.
    package mutating func retire(_ watch: Int) { wanted[watch] = false }
}
