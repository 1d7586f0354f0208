import SquallCore
package import TemporalLogic
package import Trace

/// An order to freeze a run, or to let a frozen run continue.
package enum HoldOrder: String, Hashable, Sendable, CaseIterable {
    /// Freeze the run at this instant.
    case hold
    /// Let the run continue.
    case release
    /// Let the run continue until its next event, and freeze it again.
    case step
}

/// A held run as shown to a reader: what has happened so far, and the state of the invariants.
package struct HeldMoment: Sendable {
    /// The trace so far; its end is the instant at which the run is held.
    package let recording: Recording
    package let invariants: [InvariantVerdict]

    /// The event at which the run is held; nil if an order held it.
    package var cause: TraceEvent? {
        let hold = recording.events.last { $0.name == RunRegistry.holdBegan }
        return hold?.cause.map { recording.events[$0] }
    }

    /// The events since the hold before, which happened in the step that an order allowed; empty at the first hold.
    package var step: ArraySlice<TraceEvent> {
        guard let before = recording.events.lastIndex(where: { $0.name == RunRegistry.holdEnded }) else { return [] }
        return recording.events[before...].dropFirst().dropLast()
    }
}

/// When to hold a run, and what waits while it is held.
///
/// A held run handles no input and passes no deadline, and its clock stands. A run that was held and released is the
/// same run as one that was not, apart from the events `run.hold_began` and `run.hold_ended`.
struct Hold: Sendable {
    private enum Phase: Hashable {
        /// Nothing is to be held before the awaited event. Next: held.
        case running
        /// Next: running; stepping.
        case held
        /// To be held once there are more events than this. Next: held; running.
        case stepping(after: Int)
    }

    /// The run is to be held now.
    struct Due: Hashable {
        /// The index of the event at which it is held.
        var cause: Int?
    }

    private var phase = Phase.running
    /// The event at which the run is held once; nil if there is none, or it has come.
    private var awaited: ConditionWatches?
    /// Inputs that arrived while the run was held, or whose turn came then, in order.
    var waiting: [TransportInput] = []
    /// Outputs of steps that were performed by order while the run was held; they leave when it is released.
    var outputs: [TransportOutput] = []

    init(at condition: Condition?, clients: [ClientID]) {
        awaited = condition.map { ConditionWatches([$0], clients: clients) }
    }

    /// Whether any event or instant may hold the run.
    var isPending: Bool { awaited != nil || phase != .running }

    /// When the offset of the awaited event ends.
    var nextDue: Instant? { awaited?.nextDue }

    mutating func observe(_ event: TraceEvent, _ route: EventRoute, state: ObservedState) {
        awaited?.observe(event, route, in: state)
    }

    mutating func advance(to now: Instant) { awaited?.advance(to: now) }

    /// The reason for which the run is to be held at once when a step is complete; nil if it continues.
    mutating func due(afterEvents count: Int) -> Due? {
        if awaited?.settle() == true, let watch = awaited?[0], watch.wasMet(after: -1) {
            awaited = nil
            return Due(cause: watch.evidence)
        }
        if case .stepping(let before) = phase, count > before { return Due(cause: before) }
        return nil
    }

    mutating func begin() { phase = .held }

    /// Ends the hold; `next` is the number of events after which the run is held again, nil for never.
    mutating func end(holdingAfter next: Int?) { phase = next.map { .stepping(after: $0) } ?? .running }

    /// Whether a step is under way.
    var isStepping: Bool {
        if case .stepping = phase { true } else { false }
    }
}
