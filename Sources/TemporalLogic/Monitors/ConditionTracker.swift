import SquallCore
import Trace

/// One moment at which a condition was met.
struct Occurrence: Hashable, Sendable {
    var time: Instant
    /// The events after this index came after it.
    var order: Int
    /// The event that met it.
    var event: Int
    /// What caused the change that met it: what else changed by this was shown together with it.
    var cause: Int? = nil
}

/// Follows one condition through a run.
struct ConditionTracker: Sendable {
    enum Effect: Hashable, Sendable {
        /// None of its business.
        case none
        /// Read, and to be judged when the instant is over.
        case noted
        /// Met at once.
        case met(Occurrence)
    }

    let condition: Condition
    let client: ClientID?
    /// Whether the condition is a mere state.
    let isLevel: Bool
    private let hasEvent: Bool
    private(set) var levels: [LevelTracker]
    /// Events of the pattern's name, key and client so far.
    private var count = 0
    /// The pattern's events in the instant that is not over yet, for a condition with both.
    private var candidates: [Occurrence] = []
    private var lastChange = Occurrence(time: .zero, order: -1, event: -1)
    /// The change since which the state has held, if it does.
    private var turn: Occurrence?
    /// Moments that an offset has moved ahead, the earliest first.
    private var postponed: [Occurrence] = []

    /// Whether what has met it may be known only when the instant is over.
    var isSettledLate: Bool { !levels.isEmpty }

    /// Whether it is met by an event, if a state holds when its instant is over.
    var isEventWithState: Bool { hasEvent && !levels.isEmpty }

    /// Whether the state held when the last instant was over; false for a condition with an event.
    private(set) var held = false
    /// Whether the state came to hold at the instant that is just over.
    private(set) var rose = false
    /// When the condition was last met.
    private(set) var last: Occurrence?

    /// `sharesInterest`: whether it is told events that matter to others alone.
    init(_ condition: Condition, for client: ClientID?, sharesInterest: Bool = false) {
        self.condition = condition
        self.client = client
        isLevel = condition.isLevel
        hasEvent = condition.event != nil
        let isAlone = condition.event == nil && condition.state.levels.count == 1 && !sharesInterest
        levels = condition.state.levels.map { LevelTracker($0, for: client, isAlone: isAlone) }
        if holdsNow { turn = lastChange }
    }

    /// Whether the state holds after the last event, which need not be the last of its instant.
    var holdsNow: Bool { !levels.isEmpty && levels.indices.allSatisfy { levels[$0].holds } }

    /// Whether all of the state's observables were ever shown.
    var isReported: Bool { levels.allSatisfy(\.isReported) }

    /// Whether one of the state's observables shows something else than it should: what was never shown refutes nothing.
    var isRefuted: Bool { levels.contains { $0.isReported && !$0.holds } }

    /// The event that changed the state last.
    var change: Occurrence { lastChange }

    /// What it has to be told.
    var readings: [Reading] {
        var readings = levels.flatMap(\.readings)
        if let pattern = condition.event {
            let source: Reading.Source =
                pattern.client == .any ? .anyone : .client(pattern.client.resolved(for: client))
            readings.append(Reading(pattern.name, of: source, reachesBelow: true))
        }
        return readings
    }

    mutating func observe(_ event: TraceEvent, in state: ObservedState) -> Effect {
        var effect = Effect.none
        for index in levels.indices where levels[index].observe(event, in: state) {
            lastChange = Occurrence(time: event.time, order: event.index, event: event.index, cause: event.cause)
            effect = .noted
        }
        if effect == .noted { turn = holdsNow ? turn ?? lastChange : nil }
        guard hasEvent, case .happened(let fields) = event.observation.change, matches(event, fields, in: state) else {
            return effect
        }
        let occurrence = Occurrence(time: event.time, order: event.index, event: event.index)
        guard levels.isEmpty else {
            candidates.append(occurrence)
            return .noted
        }
        return meet(occurrence).map(Effect.met) ?? .noted
    }

    /// The instant is over: what a state has come to.
    ///
    /// The moments at which the condition was met, in order: one for a state, of an event with a state as many as there were.
    mutating func settle() -> [Occurrence] {
        guard !levels.isEmpty else { return [] }
        let holds = holdsNow
        if hasEvent {
            guard !candidates.isEmpty else { return [] }
            defer { candidates.removeAll(keepingCapacity: true) }
            return holds ? candidates.compactMap { meet($0) } : []
        }
        rose = holds && !held
        held = holds
        guard rose else { return [] }
        return meet(turn ?? lastChange).map { [$0] } ?? []
    }

    /// The earliest moment that an offset has moved ahead.
    var nextDue: Instant? { postponed.first?.time }

    /// The moment moved to `time`, if there is one.
    ///
    /// Events after `order` come after it.
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

    /// The levels that keep the state from holding; all where none does.
    private var missing: [LevelTracker] {
        let missing = levels.filter { !$0.holds }
        return missing.isEmpty ? levels : missing
    }

    /// What refutes the state at this instant, and what was expected instead.
    func refutation(at time: Instant) -> (past: String, expected: String) {
        let refuted = levels.filter { $0.isReported && !$0.holds }
        return (
            refuted.map { $0.past(from: time, to: time) }.joined(separator: "; "),
            refuted.map(\.expected).joined(separator: " and ")
        )
    }

    /// What was the case instead of this, in the past tense, and what was expected.
    func shortfall(from start: Instant, to end: Instant) -> (past: String, expected: String?) {
        guard condition.event == nil, condition.offset == .zero else {
            let before = last.map { " (last at \($0.time))" } ?? ""
            return ("\(text) did not happen from \(start) to \(end)\(before)", nil)
        }
        let past = missing.map { $0.past(from: start, to: end) }.joined(separator: "; ")
        return (past, missing.map(\.expected).joined(separator: " and "))
    }

    /// What is the case while the state holds.
    func present(at time: Instant) -> String {
        levels.map { $0.past(from: time, to: time) }.joined(separator: "; ")
    }

    var lastSeen: String? {
        guard !levels.isEmpty else { return last.map { "\(text) at \($0.time)" } }
        return missing.map(\.lastSeen).joined(separator: "; ")
    }
}
