package import SquallCore
import Trace

/// One condition that the script waits for: a `wait`, or the `at:` of a step.
///
/// Unlike a ``Monitor``, a watch does not wait for the end of an instant: it evaluates the state at the end of each
/// step of the simulation.
package struct ConditionWatch: Sendable {
    private var trackers: [ConditionTracker]

    /// Creates a watch. If the condition refers to ``ClientSelector/each``, it must be met for each of `clients`.
    init(_ condition: Condition, clients: [ClientID]) {
        let subjects: [ClientID?] = condition.isForEach ? clients.map { $0 } : [clients.first]
        trackers = subjects.map { ConditionTracker(condition, for: $0) }
    }

    /// The events that each tracker reads.
    var subscriptions: [[EventSubscription]] { trackers.map(\.subscriptions) }

    mutating func observe(_ event: TraceEvent, in state: ObservedState, tracker: Int) {
        _ = trackers[tracker].observe(event, in: state)
    }

    /// Evaluates the tracker's condition at the end of a step in which the tracker received an event.
    mutating func settle(tracker: Int) {
        _ = trackers[tracker].settle()
    }

    /// Advances the current time to `time`. Delayed occurrences that are due by then count as met; their position in
    /// the trace is after the event with index `order`.
    mutating func advance(to time: Instant, order: Int) {
        for index in trackers.indices {
            while trackers[index].takeDue(at: time, order: order) != nil {}
        }
    }

    /// The instant at which the next delayed occurrence is due; nil if none is pending.
    package var nextDue: Instant? {
        guard hasOffset else { return nil }
        var next: Instant?
        for index in trackers.indices {
            if let due = trackers[index].nextDue { next = min(next ?? due, due) }
        }
        return next
    }

    private var hasOffset: Bool { trackers.first.map { $0.condition.offset > .zero } ?? false }

    /// Whether a plain `wait` is satisfied: the state holds now, or the event has already happened.
    package var holds: Bool {
        trackers.indices.allSatisfy { trackers[$0].isStateOnly ? trackers[$0].holdsNow : trackers[$0].last != nil }
    }

    /// Returns whether the condition was met after the event at `index`, as `wait: { next: … }` requires.
    package func wasMet(after index: Int) -> Bool {
        trackers.indices.allSatisfy { (trackers[$0].last?.order ?? -1) > index }
    }

    /// The condition in scenario syntax. If the condition applies to each client of a group, the text names a client
    /// for which it has not been met.
    package var text: String {
        (trackers.first { $0.last == nil } ?? trackers.first)?.text ?? "nothing"
    }

    /// The index of the latest event that caused the condition to be met; nil if none has.
    package var evidence: Int? { trackers.compactMap { $0.last?.event }.max() }

    /// Returns the message for a `wait` that timed out: the values that were observed from `start` to `end`, and the
    /// values that were expected.
    package func shortfall(from start: Instant, to end: Instant) -> String {
        let missing = trackers.first { $0.isStateOnly ? !$0.holdsNow : $0.last.map { $0.time < start } ?? true }
        guard let tracker = missing ?? trackers.first else { return "there was no condition" }
        let (past, expected) = tracker.shortfall(from: start, to: end)
        return expected.map { "\(past); expected \($0)" } ?? past
    }
}

extension Condition {
    /// Whether the condition refers to each member of a group.
    var isForEach: Bool {
        if event?.client == .each { return true }
        return state.levels.contains { level in
            level.observable.client == .each || level.predicate.compared.contains { $0.client == .each }
        }
    }
}
