package import SquallCore
package import Trace

/// Tracks the conditions that a script waits for, passing each of them only the events that it reads.
package struct ConditionWatches: Sendable {
    /// Identifies a tracker by the index of its watch and its own index within the watch.
    private struct Target: Hashable, Sendable {
        let watch: Int
        let tracker: Int
    }

    private var watches: [ConditionWatch]
    /// Whether each watch is still in use, in the order of `watches`.
    private var wanted: [Bool]
    private var router = EventRouter<Target, [Target]>()
    /// The trackers that received an event in the current step.
    private var unsettled: [Target] = []
    private var order = -1
    private var nextMoved = Instant.never
    /// Whether a watch may have changed since the last ``settle()``.
    private var isTouched = true

    /// Creates a watch for each condition. `clients` are the clients that ``ClientSelector/each`` refers to.
    package init(_ conditions: [Condition], clients: [ClientID]) {
        watches = conditions.map { ConditionWatch($0, clients: clients) }
        wanted = watches.map { _ in true }
        for (watch, entry) in watches.enumerated() {
            for (tracker, subscriptions) in entry.subscriptions.enumerated() {
                for reading in subscriptions { router.add(Target(watch: watch, tracker: tracker), reads: reading) }
            }
        }
    }

    /// Returns the watch for the condition at index `watch`, in the order passed to the initializer.
    package subscript(_ watch: Int) -> ConditionWatch { watches[watch] }

    /// Observes an event; `route` is the value that ``MonitorSet/observe(_:)`` returned for it.
    package mutating func observe(_ event: TraceEvent, _ route: EventRoute, in state: ObservedState) {
        order = event.index
        for target in targets(of: event, route) where wanted[target.watch] {
            watches[target.watch].observe(event, in: state, tracker: target.tracker)
            unsettled.append(target)
        }
    }

    private mutating func targets(of event: TraceEvent, _ route: EventRoute) -> [Target] {
        if let known = router[route] { return known }
        // A condition may read an event for several reasons, but must receive it only once.
        let found = router.targets(of: event, route)
        let targets = found.enumerated().filter { !found[..<$0.offset].contains($0.element) }.map(\.element)
        router[route] = targets
        return targets
    }

    /// Evaluates the conditions at the end of a step. Returns whether any of them may have changed.
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

    /// Advances the current time to `time`. Delayed occurrences that are due by then count as met.
    package mutating func advance(to time: Instant) {
        guard nextMoved <= time else { return }
        nextMoved = .never
        for watch in watches.indices where wanted[watch] {
            watches[watch].advance(to: time, order: order)
            if let due = watches[watch].nextDue { nextMoved = min(nextMoved, due) }
        }
        isTouched = true
    }

    /// The instant at which the next delayed occurrence of an active watch is due; nil if none is pending.
    package var nextDue: Instant? { nextMoved == .never ? nil : nextMoved }

    /// Stops tracking a condition that the script no longer waits for.
    package mutating func retire(_ watch: Int) { wanted[watch] = false }
}
