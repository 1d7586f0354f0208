import SquallCore
package import TemporalLogic
package import Trace

/// A command to freeze a run, or to let a frozen run continue.
package enum HoldOrder: String, Hashable, Sendable, CaseIterable {
    /// Freeze the run at this instant.
    case hold
    /// Let the run continue.
    case release
    /// Let the run continue until its next event, and freeze it again.
    case step
}

/// A held (frozen) run as shown to the user: the events so far, and the verdicts on the invariants.
package struct HeldRunSnapshot: Sendable {
    /// The trace so far. It ends at the instant at which the run is held.
    package let recording: Recording
    package let invariants: [InvariantVerdict]

    /// The event at which the run is held; nil if the run was held by a command.
    package var cause: TraceEvent? {
        let hold = recording.events.last { $0.name == RunRegistry.holdBegan }
        return hold?.cause.map { recording.events[$0] }
    }

    /// The events since the previous hold; empty if the run has not been held before.
    package var step: ArraySlice<TraceEvent> {
        guard let before = recording.events.lastIndex(where: { $0.name == RunRegistry.holdEnded }) else { return [] }
        return recording.events[before...].dropFirst().dropLast()
    }
}

/// The conditions for holding (freezing) a run, and the inputs and outputs that are queued while it is held.
///
/// A held run's clock is stopped, so the run handles no input and none of its deadlines pass. A run that was held and
/// released is identical to one that was not, apart from the events `run.hold_began` and `run.hold_ended`.
struct Hold: Sendable {
    private enum Phase: Hashable {
        /// The run continues until the awaited event occurs, if there is one. The next state is `held`.
        case running
        /// The run is frozen. The next state is `running` or `stepping`.
        case held
        /// The run continues until it has recorded more than `after` events. The next state is `held` or `running`.
        case stepping(after: Int)
    }

    /// The reason why the run must be held now.
    struct Due: Hashable {
        /// The index of the event at which the run is held; nil if the condition is not about an event.
        var cause: Int?
    }

    private var phase = Phase.running
    /// The watch for the event at which the run is to be held; nil if there is no such event, or if it has occurred.
    private var awaited: ConditionWatches?
    /// The inputs to handle when the run is released, in order: those that arrived while the run was held, and any
    /// input that could not be handled because a timer held the run first.
    var waiting: [TransportInput] = []
    /// The outputs of stimuli that were applied while the run was held, to be performed when the run is released.
    var outputs: [TransportOutput] = []

    init(at condition: Condition?, clients: [ClientID]) {
        awaited = condition.map { ConditionWatches([$0], clients: clients) }
    }

    /// Whether an event or a time offset may still cause the run to be held.
    var isPending: Bool { awaited != nil || phase != .running }

    /// The end of the time offset after the awaited event; nil if the event has not occurred or has no offset.
    var nextDue: Instant? { awaited?.nextDue }

    mutating func observe(_ event: TraceEvent, _ route: EventRoute, state: ObservedState) {
        awaited?.observe(event, route, in: state)
    }

    mutating func advance(to now: Instant) { awaited?.advance(to: now) }

    /// Returns the reason for holding the run now; nil if the run continues. The run must call this after each of its
    /// steps.
    mutating func due(afterEvents count: Int) -> Due? {
        if awaited?.settle() == true, let watch = awaited?[0], watch.wasMet(after: -1) {
            awaited = nil
            return Due(cause: watch.evidence)
        }
        if case .stepping(let before) = phase, count > before { return Due(cause: before) }
        return nil
    }

    mutating func begin() { phase = .held }

    /// Ends the hold. The run is held again once it has recorded more than `next` events; if `next` is nil, it is not
    /// held again.
    mutating func end(holdingAfter next: Int?) { phase = next.map { .stepping(after: $0) } ?? .running }

    /// Whether the run was released only until its next event.
    var isStepping: Bool {
        if case .stepping = phase { true } else { false }
    }
}
