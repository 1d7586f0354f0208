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

/// A held run as shown to the user: the events so far, and the verdicts on the invariants.
package struct HeldMoment: Sendable {
    /// The trace so far, which ends at the instant at which the run is held.
    package let recording: Recording
    package let invariants: [InvariantVerdict]

    /// The event at which the run is held; nil if a command held it.
    package var cause: TraceEvent? {
        let hold = recording.events.last { $0.name == RunRegistry.holdBegan }
        return hold?.cause.map { recording.events[$0] }
    }

    /// The events since the previous hold, if a command let the run continue; empty at the first hold.
    package var step: ArraySlice<TraceEvent> {
        guard let before = recording.events.lastIndex(where: { $0.name == RunRegistry.holdEnded }) else { return [] }
        return recording.events[before...].dropFirst().dropLast()
    }
}

/// The conditions for holding (freezing) a run, and the inputs and outputs that wait while it is held.
///
/// A held run handles no input and passes no deadline, and its clock is stopped. A run that was held and released is
/// identical to one that was not, apart from the events `run.hold_began` and `run.hold_ended`.
struct Hold: Sendable {
    private enum Phase: Hashable {
        /// The run continues until the awaited event, if there is one. Next: held.
        case running
        /// The run is frozen. Next: running; stepping.
        case held
        /// The run continues until there are more events than `after`. Next: held; running.
        case stepping(after: Int)
    }

    /// The result of a check that found that the run must be held now.
    struct Due: Hashable {
        /// The index of the event at which the run is held; nil if the condition has no event.
        var cause: Int?
    }

    private var phase = Phase.running
    /// Watches for the event at which the run is held once; nil if there is none, or if it has occurred.
    private var awaited: ConditionWatches?
    /// The inputs that wait until the run is released, in order: those that arrived while it was held, and an input
    /// that was about to be handled when a timer held the run.
    var waiting: [TransportInput] = []
    /// The outputs of stimuli that the conductor applied while the run was held; they are performed when the run is
    /// released.
    var outputs: [TransportOutput] = []

    init(at condition: Condition?, clients: [ClientID]) {
        awaited = condition.map { ConditionWatches([$0], clients: clients) }
    }

    /// Whether some event or instant may still hold the run.
    var isPending: Bool { awaited != nil || phase != .running }

    /// The end of the time offset after the awaited event; nil if none is pending.
    var nextDue: Instant? { awaited?.nextDue }

    mutating func observe(_ event: TraceEvent, _ route: EventRoute, state: ObservedState) {
        awaited?.observe(event, route, in: state)
    }

    mutating func advance(to now: Instant) { awaited?.advance(to: now) }

    /// Returns the reason for holding the run now, when a step is complete; nil if the run continues.
    mutating func due(afterEvents count: Int) -> Due? {
        if awaited?.settle() == true, let watch = awaited?[0], watch.wasMet(after: -1) {
            awaited = nil
            return Due(cause: watch.evidence)
        }
        if case .stepping(let before) = phase, count > before { return Due(cause: before) }
        return nil
    }

    mutating func begin() { phase = .held }

    /// Ends the hold; `next` is the number of events after which the run is held again, or nil for never.
    mutating func end(holdingAfter next: Int?) { phase = next.map { .stepping(after: $0) } ?? .running }

    /// Whether the run was released for a single step.
    var isStepping: Bool {
        if case .stepping = phase { true } else { false }
    }
}
