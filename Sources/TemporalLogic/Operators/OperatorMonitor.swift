import SquallCore
import Trace

/// The part of a run in which an operator is evaluated, from the opening of the expectation's scope to its closing.
struct Interval: Sendable {
    var start: Instant
    /// The index of the last event before the interval; later events are in it.
    var order: Int
    /// The index of the event that opened the interval; nil if it is open from the start of the run.
    var event: Int?
    /// The condition that opened the interval, for messages; nil if it is open from the start of the run.
    var opener: Condition?
}

/// The result of an operator for the part of an interval observed so far.
enum OperatorStatus: Hashable, Sendable {
    /// The claim is neither satisfied nor violated yet.
    case open
    /// The claim is satisfied, and no later event can change this. The value lists the indexes of the decisive events.
    case met([Int])
    /// The claim is violated, and no later event can change this.
    case broken(Reason)
    /// The interval contained nothing that the operator applies to; the associated value is the reason.
    case vacuous(String)
    /// The run ended before the operator was decided; the associated value is the reason.
    case cut(String)
}

/// The reason why an interval ends.
enum IntervalEnd: Hashable, Sendable {
    /// The expectation's scope closed.
    case scope
    /// The run ended; `finished` says whether all steps of its script were performed.
    case run(finished: Bool)
}

/// A state machine that evaluates one operator for one client, one interval at a time.
///
/// Time is monotonic across calls. For each instant, the machine receives the events as they happen, then one call of
/// ``settle(at:_:)``. The first call for an interval is `begin` and the last is `close`, which is omitted if the
/// operator has already been decided.
protocol OperatorMonitor: Sendable {
    var status: OperatorStatus { get }

    /// Whether `status` is open. Checked after every event, because copying `status` would be more expensive.
    var isOpen: Bool { get }

    /// The instant after which ``expire(_:)`` must be called; nil if there is no deadline.
    var deadline: Instant? { get }

    /// Begins an interval and discards the state of the previous one.
    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker])

    /// Reports that an event in the interval met the condition at index `condition`.
    mutating func happened(_ occurrence: Occurrence, of condition: Int, _ conditions: [ConditionTracker])

    /// Handles the end of an instant, at which all states are known.
    mutating func settle(at time: Instant, _ conditions: [ConditionTracker])

    /// Reports that the deadline has passed.
    mutating func expire(_ conditions: [ConditionTracker])

    /// Ends the interval; after this call the status is no longer open.
    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker])

    /// The instant until which the run must continue for this operator; nil if the run may end now.
    var runMustLastUntil: Instant? { get }

    /// Reports that the script has ended: conditions that are met after `time` do not prolong the run.
    mutating func scriptEnded(at time: Instant)

    /// The events that the operator reads directly, in addition to those that its conditions read.
    var subscriptions: [EventSubscription] { get }

    /// Observes an event that ``subscriptions`` covers, inside or outside an interval. `state` is the state after the
    /// event.
    ///
    /// - Returns: False if the event has no effect.
    mutating func observe(_ event: TraceEvent, in state: ObservedState, isInside: Bool) -> Bool
}

extension OperatorMonitor {
    var isOpen: Bool { if case .open = status { true } else { false } }
    var runMustLastUntil: Instant? { deadline }
    mutating func happened(_ occurrence: Occurrence, of condition: Int, _ conditions: [ConditionTracker]) {}
    var subscriptions: [EventSubscription] { [] }
    mutating func scriptEnded(at time: Instant) {}
    mutating func observe(_ event: TraceEvent, in state: ObservedState, isInside: Bool) -> Bool { false }
}

/// An operator's time limit, and its wording in messages.
struct Limit: Sendable {
    let bound: TimeSpan?
    let tolerance: TimeSpan
    let client: ClientID?

    init(_ bound: TimeSpan?, _ tolerance: Tolerance, for client: ClientID?) {
        self.bound = bound
        self.tolerance = bound.map(tolerance.of) ?? .zero
        self.client = client
    }

    /// Returns the last instant within the bound, including the tolerance; nil if there is no bound.
    func latest(from start: Instant) -> Instant? {
        bound.map { start + $0 + tolerance }
    }

    /// Returns the instant until which a state must hold, after subtracting the tolerance; nil if there is no bound.
    func shortest(from start: Instant) -> Instant? {
        bound.map { start + max($0 - tolerance, .zero) }
    }

    /// Returns the deadline as worded in failure messages, such as `within 500ms of client.connected#2 at 12.400`.
    func within(_ interval: Interval) -> String {
        guard let bound else { return "before the end of the scope \(origin(interval, "that began with"))" }
        return "within \(bound)\(toleranceText) \(origin(interval, "of"))"
    }

    /// Returns the required duration as worded in failure messages, such as `for 5s from client.connected#2 at 12.400`.
    func lasting(_ interval: Interval) -> String {
        let length = bound.map { "for \($0)\(tolerance == .zero ? "" : " (-\(tolerance) tolerance)") " } ?? ""
        return length + origin(interval, "from")
    }

    /// Returns the status for a run that ends before the required duration has passed.
    func cutShort(_ interval: Interval, at end: Instant) -> OperatorStatus {
        .cut("the run ended at \(end), but the expectation lasts \(lasting(interval))")
    }

    var toleranceText: String { tolerance == .zero ? "" : " (+\(tolerance) tolerance)" }

    private func origin(_ interval: Interval, _ preposition: String) -> String {
        guard let opener = interval.opener else { return "\(preposition) the start of the run" }
        return "\(preposition) \(opener.text(for: client)) at \(interval.start)"
    }
}

/// A condition that an operator waits for, with the data for the failure message if it is not met.
struct AwaitedCondition {
    let condition: ConditionTracker
    /// The instant at which the operator began to wait for the condition.
    let start: Instant
    /// The deadline as worded in messages, such as `within 500ms of the start of the run`.
    let due: String
    /// The condition's position in a sequence, such as `as step 2 of 3 `; empty for a single condition.
    var place = ""
    /// The indexes of the events that led up to the wait.
    let events: [Int]

    /// Returns the status for a condition whose deadline has passed.
    func missed(by deadline: Instant) -> OperatorStatus { missed(by: deadline, due) }

    /// Returns the status for a condition that is not met when the interval ends.
    func status(at end: Instant, _ closing: IntervalEnd, hasDeadline: Bool) -> OperatorStatus {
        switch closing {
        case .run where hasDeadline: .cut("the run ended at \(end), before \(condition.text) was due \(due)")
        case .run(finished: false): .cut("\(ScriptEnd.unfinished), and \(condition.text) was not met by \(end)")
        case .run(finished: true): missed(by: end, "before the run ended at \(end)")
        case .scope: missed(by: end, "before the scope closed at \(end)")
        }
    }

    private func missed(by end: Instant, _ due: String) -> OperatorStatus {
        let (past, expected) = condition.shortfall(from: start, to: end)
        let text = "\(past); expected \(expected.map { "\($0) " } ?? "")\(place)\(due)"
        var reason = Reason(text, expectedBy: end, events: events, lastSeen: condition.lastSeen)
        reason.seen = condition.levels.flatMap { $0.seen(from: start) }
        return .broken(reason)
    }
}
