import SquallCore
import Trace

/// One occurrence of a condition: the instant at which the condition was met, and its position in the trace.
struct Occurrence: Hashable, Sendable {
    var time: Instant
    /// The position in the trace: events with a greater index come after the occurrence.
    var order: Int
    /// The index of the event that caused the condition to be met; negative if a state held before the first event.
    var event: Int
    /// The index of the event that caused the change, if known. Changes with the same cause count as simultaneous.
    var cause: Int? = nil
}

/// Tracks one condition through a run: whether it holds, and when it was met.
struct ConditionTracker: Sendable {
    enum Effect: Hashable, Sendable {
        /// The event does not affect the condition.
        case none
        /// The event affects the condition, but the condition can be evaluated only after all events of the instant.
        case pending
        /// The event caused the condition to be met.
        case met(Occurrence)
    }

    let condition: Condition
    let client: ClientID?
    /// Whether the condition consists of a state alone, without an event and without an offset.
    let isStateOnly: Bool
    private let hasEvent: Bool
    private(set) var levels: [PredicateTracker]
    /// The number of events so far with the pattern's name, key and client.
    private var count = 0
    /// The matching events at the current instant; used only if the condition is an event while a state holds.
    private var candidates: [Occurrence] = []
    private var lastChange = Occurrence(time: .zero, order: -1, event: -1)
    /// The change that made the state true; nil while the state does not hold.
    private var turn: Occurrence?
    /// Occurrences that are delayed by the condition's offset and are not due yet, earliest first.
    private var postponed: [Occurrence] = []

    /// Whether the condition involves a state, so that it can be met only at the end of an instant.
    var isEvaluatedAtInstantEnd: Bool { !levels.isEmpty }

    /// Whether the condition is an event that counts only if a state holds at the end of the event's instant.
    var isEventWithState: Bool { hasEvent && !levels.isEmpty }

    /// Whether the state held at the end of the last evaluated instant; false for a condition with an event.
    private(set) var held = false
    /// Whether the state began to hold at the last evaluated instant.
    private(set) var beganToHold = false
    /// The last occurrence of the condition; nil if it has not been met yet.
    private(set) var last: Occurrence?

    /// Creates a tracker for the condition and one client. If `sharesInterest` is true, the tracker also receives
    /// events that only other trackers read, and ignores them.
    init(_ condition: Condition, for client: ClientID?, sharesInterest: Bool = false) {
        self.condition = condition
        self.client = client
        isStateOnly = condition.isStateOnly
        hasEvent = condition.event != nil
        let isAlone = condition.event == nil && condition.state.levels.count == 1 && !sharesInterest
        levels = condition.state.levels.map { PredicateTracker($0, for: client, isAlone: isAlone) }
        if holdsNow { turn = lastChange }
    }

    /// Whether the state holds after the last observed event. More events may follow at the same instant.
    var holdsNow: Bool { !levels.isEmpty && levels.indices.allSatisfy { levels[$0].holds } }

    /// Whether all of the state's observables have been reported.
    var isReported: Bool { levels.allSatisfy(\.isReported) }

    /// Whether an observable that has been reported violates the state.
    var isRefuted: Bool { levels.contains { $0.isReported && !$0.holds } }

    /// The last change to any of the state's observables.
    var change: Occurrence { lastChange }

    /// The events that the tracker reads.
    var subscriptions: [EventSubscription] {
        var subscriptions = levels.flatMap(\.subscriptions)
        if let pattern = condition.event {
            let source: EventSubscription.Source =
                pattern.client == .any ? .anyClient : .client(pattern.client.resolved(for: client))
            subscriptions.append(EventSubscription(pattern.name, of: source, reachesBelow: true))
        }
        return subscriptions
    }

    mutating func observe(_ event: TraceEvent, in state: ObservedState) -> Effect {
        var effect = Effect.none
        for index in levels.indices where levels[index].observe(event, in: state) {
            lastChange = Occurrence(time: event.time, order: event.index, event: event.index, cause: event.cause)
            effect = .pending
        }
        if effect == .pending { turn = holdsNow ? turn ?? lastChange : nil }
        guard hasEvent, case .happened(let fields) = event.observation.change, matches(event, fields, in: state) else {
            return effect
        }
        let occurrence = Occurrence(time: event.time, order: event.index, event: event.index)
        guard levels.isEmpty else {
            candidates.append(occurrence)
            return .pending
        }
        return meet(occurrence).map(Effect.met) ?? .pending
    }

    /// Evaluates the condition at the end of an instant. Returns the occurrences that could not be determined earlier,
    /// in trace order: at most one for a state, and one per matching event for an event while a state holds.
    mutating func settle() -> [Occurrence] {
        guard !levels.isEmpty else { return [] }
        let holds = holdsNow
        if hasEvent {
            guard !candidates.isEmpty else { return [] }
            defer { candidates.removeAll(keepingCapacity: true) }
            return holds ? candidates.compactMap { meet($0) } : []
        }
        beganToHold = holds && !held
        held = holds
        guard beganToHold else { return [] }
        return meet(turn ?? lastChange).map { [$0] } ?? []
    }

    /// The instant at which the earliest delayed occurrence is due; nil if none is pending.
    var nextDue: Instant? { postponed.first?.time }

    /// Removes and returns the earliest delayed occurrence that is due by `time`; nil if there is none.
    ///
    /// The occurrence's position in the trace is after the event with index `order` and before any later event.
    mutating func takeDue(at time: Instant, order: Int) -> Occurrence? {
        guard let first = postponed.first, first.time <= time else { return nil }
        postponed.removeFirst()
        let occurrence = Occurrence(time: first.time, order: order, event: first.event)
        last = occurrence
        return occurrence
    }

    private mutating func meet(_ occurrence: Occurrence) -> Occurrence? {
        guard condition.offset > .zero else {
            last = occurrence
            return occurrence
        }
        var moved = occurrence
        moved.time = occurrence.time + condition.offset
        postponed.append(moved)
        return nil
    }

    private func isMeant(_ client: ClientID?, by pattern: EventPattern) -> Bool {
        switch pattern.client {
        case .any: true
        case .one(let named): client == named
        case .each: client == self.client
        }
    }

    private mutating func matches(_ event: TraceEvent, _ fields: JSON, in state: ObservedState) -> Bool {
        guard let pattern = condition.event, pattern.covers(event.name),
            pattern.key == nil || pattern.key == event.key, isMeant(event.client, by: pattern)
        else { return false }
        count += 1
        if let ordinal = pattern.ordinal, ordinal != count { return false }
        return pattern.fields.allSatisfy { field in
            field.predicate.holds(
                for: fields[field.name],
                seenBy: PredicateSubject(each: client, owner: event.client),
                in: state
            )
        }
    }
}

extension ConditionTracker {
    var text: String { condition.text(for: client) }

    /// The trackers of the predicates that do not hold, or of all predicates if all hold.
    private var missing: [PredicateTracker] {
        let missing = levels.filter { !$0.holds }
        return missing.isEmpty ? levels : missing
    }

    /// Returns the values that violate the state at `time` and the values that were expected instead, for failure
    /// messages.
    func refutation(at time: Instant) -> (past: String, expected: String) {
        let refuted = levels.filter { $0.isReported && !$0.holds }
        return (
            refuted.map { $0.past(from: time, to: time) }.joined(separator: "; "),
            refuted.map(\.expected).joined(separator: " and ")
        )
    }

    /// Returns text for a failure message that explains why the condition was not met from `start` to `end`: the values
    /// that were observed (`past`), and the values that were expected (nil for an event).
    func shortfall(from start: Instant, to end: Instant) -> (past: String, expected: String?) {
        guard condition.event == nil, condition.offset == .zero else {
            let before = last.map { " (last at \($0.time))" } ?? ""
            return ("\(text) did not happen from \(start) to \(end)\(before)", nil)
        }
        let past = missing.map { $0.past(from: start, to: end) }.joined(separator: "; ")
        return (past, missing.map(\.expected).joined(separator: " and "))
    }

    /// Returns the values that make the state hold at `time`, for failure messages.
    func present(at time: Instant) -> String {
        levels.map { $0.past(from: time, to: time) }.joined(separator: "; ")
    }

    var lastSeen: String? {
        guard !levels.isEmpty else { return last.map { "\(text) at \($0.time)" } }
        return missing.map(\.lastSeen).joined(separator: "; ")
    }
}
