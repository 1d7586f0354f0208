package import SquallCore
import Trace

/// What a ``ConditionWatches`` knows of one condition that somebody acts on while the run goes on: a `wait`, the `at:` of a step.
///
/// Unlike a monitor it does not wait for an instant to be over: what it sees at the end of a step counts.
package struct ConditionWatch: Sendable {
    private var trackers: [ConditionTracker]

    /// `clients` are those whom a group stands for; the condition must come true for each of them.
    init(_ condition: Condition, clients: [ClientID]) {
        let subjects: [ClientID?] = condition.isForEach ? clients.map { $0 } : [clients.first]
        trackers = subjects.map { ConditionTracker(condition, for: $0) }
    }

    /// What each tracker has to be told.
    var readings: [[Reading]] { trackers.map(\.readings) }

    mutating func observe(_ event: TraceEvent, in state: ObservedState, tracker: Int) {
        _ = trackers[tracker].observe(event, in: state)
    }

    /// A step is over in which the tracker was told something.
    mutating func settle(tracker: Int) {
        _ = trackers[tracker].settle()
    }

    /// Time has come to this instant: moments that an offset moved ahead may be due, after the event of index `order`.
    mutating func advance(to time: Instant, order: Int) {
        for index in trackers.indices {
            while trackers[index].takeDue(at: time, order: order) != nil {}
        }
    }

    /// When a moment moved ahead comes, if one is on its way.
    package var nextDue: Instant? {
        guard hasOffset else { return nil }
        var next: Instant?
        for index in trackers.indices {
            if let due = trackers[index].nextDue { next = min(next ?? due, due) }
        }
        return next
    }

    private var hasOffset: Bool { trackers.first.map { $0.condition.offset > .zero } ?? false }

    /// Level: the state holds now, or the event has happened by now.
    package var holds: Bool {
        trackers.indices.allSatisfy { trackers[$0].isLevel ? trackers[$0].holdsNow : trackers[$0].last != nil }
    }

    /// Edge: met after the event of that index.
    package func wasMet(after index: Int) -> Bool {
        trackers.indices.allSatisfy { (trackers[$0].last?.order ?? -1) > index }
    }

    /// What is waited for, in the words of a scenario; of a group, for one that it has not come for.
    package var text: String {
        (trackers.first { $0.last == nil } ?? trackers.first)?.text ?? "nothing"
    }

    /// The event that met it last.
    package var evidence: Int? { trackers.compactMap { $0.last?.event }.max() }

    /// What was the case instead, from `start` until now, for the reader of a `wait` that timed out.
    package func shortfall(from start: Instant, to end: Instant) -> String {
        let missing = trackers.first { $0.isLevel ? !$0.holdsNow : $0.last.map { $0.time < start } ?? true }
        guard let tracker = missing ?? trackers.first else { return "nothing was waited for" }
        let (past, expected) = tracker.shortfall(from: start, to: end)
        return expected.map { "\(past); expected \($0)" } ?? past
    }
}

extension Condition {
    /// Whether a group's every member is meant.
    var isForEach: Bool {
        if event?.client == .each { return true }
        return state.levels.contains { level in
            level.observable.client == .each || level.predicate.compared.contains { $0.client == .each }
        }
    }
}
