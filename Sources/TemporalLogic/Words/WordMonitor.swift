import SquallCore
import Trace

/// One stretch of a run in which a word is judged: an opening of the expectation's scope.
struct Interval: Sendable {
    var start: Instant
    /// Events after this index are in the interval.
    var order: Int
    /// The index of the event that opened it; nil when it is open from the beginning of the run.
    var event: Int?
    /// The condition that opened it, for messages.
    var opener: Condition?
}

/// The judgement of a word on the part of an interval that it has seen so far.
enum WordRuling: Hashable, Sendable {
    /// Undecided.
    case open
    /// The claim holds, whatever follows; with the indexes of the events that showed it.
    case met([Int])
    /// The claim is violated, whatever follows.
    case broken(Reason)
    /// There was nothing to judge; the value says why.
    case vacuous(String)
    /// The run stopped before the word could be judged, and why.
    case cut(String)
}

/// Why an interval ends.
enum IntervalEnd: Hashable, Sendable {
    /// The scope closed.
    case scope
    /// The run ended, with its script played to the end or not.
    case run(finished: Bool)
}

/// The state machine that judges one word for one client, in one interval after the other.
///
/// Time never goes back between two calls. For each instant the machine gets its events as they happen, then one
/// ``settle(at:_:)``. The calls of an interval are `begin`, any number of the others, then `close`, unless the ruling
/// ceases to be open before.
protocol WordMonitor: Sendable {
    var ruling: WordRuling { get }

    /// Whether the ruling is open. Checked after every event, and cheaper than copying the ruling.
    var isOpen: Bool { get }

    /// ``expire(_:)`` is due once time has passed this instant.
    var deadline: Instant? { get }

    /// Begins an interval and forgets the one before.
    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker])

    /// An event in the interval met the condition of this number.
    mutating func happened(_ occurrence: Occurrence, of condition: Int, _ conditions: [ConditionTracker])

    /// The instant is over, and the states that hold at its end are known.
    mutating func settle(at time: Instant, _ conditions: [ConditionTracker])

    /// The deadline has passed.
    mutating func expire(_ conditions: [ConditionTracker])

    /// Ends the interval; afterwards the ruling is not open.
    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker])

    /// The instant until which the run must last for this word; nil when it need not.
    var openUntil: Instant? { get }

    /// Handles that the script has been played: what begins from now on does not keep the run from ending.
    mutating func scriptEnded(at time: Instant)

    /// The events that the word itself reads, besides those that its conditions read.
    var readings: [Reading] { get }

    /// Observes an event that ``readings`` requested, inside or outside an interval; `state` is the state after it.
    ///
    /// Returns false if the event turned out not to matter.
    mutating func observe(_ event: TraceEvent, in state: ObservedState, isInside: Bool) -> Bool
}

extension WordMonitor {
    var isOpen: Bool { if case .open = ruling { true } else { false } }
    var openUntil: Instant? { deadline }
    mutating func happened(_ occurrence: Occurrence, of condition: Int, _ conditions: [ConditionTracker]) {}
    var readings: [Reading] { [] }
    mutating func scriptEnded(at time: Instant) {}
    mutating func observe(_ event: TraceEvent, in state: ObservedState, isInside: Bool) -> Bool { false }
}

/// The time that a word has, and how messages state it.
struct Limit: Sendable {
    let bound: TimeSpan?
    let tolerance: TimeSpan
    let client: ClientID?

    init(_ bound: TimeSpan?, _ tolerance: Tolerance, for client: ClientID?) {
        self.bound = bound
        self.tolerance = bound.map(tolerance.of) ?? .zero
        self.client = client
    }

    /// The last instant that is still in time.
    func latest(from start: Instant) -> Instant? {
        bound.map { start + $0 + tolerance }
    }

    /// The last instant until which a state has to last; tolerance makes it earlier.
    func shortest(from start: Instant) -> Instant? {
        bound.map { start + max($0 - tolerance, .zero) }
    }

    /// `within 500ms of client.connected#2 at 12.400`.
    func within(_ interval: Interval) -> String {
        guard let bound else { return "before the end of the scope \(origin(interval, "that began with"))" }
        return "within \(bound)\(forgiven) \(origin(interval, "of"))"
    }

    /// `for 5s from client.connected#2 at 12.400`.
    func lasting(_ interval: Interval) -> String {
        let length = bound.map { "for \($0)\(tolerance == .zero ? "" : " (-\(tolerance) tolerance)") " } ?? ""
        return length + origin(interval, "from")
    }

    /// The ruling when the run ends before the time is over.
    func cutShort(_ interval: Interval, at end: Instant) -> WordRuling {
        .cut("the run ended at \(end), but the expectation lasts \(lasting(interval))")
    }

    var forgiven: String { tolerance == .zero ? "" : " (+\(tolerance) tolerance)" }

    private func origin(_ interval: Interval, _ preposition: String) -> String {
        guard let opener = interval.opener else { return "\(preposition) the start of the run" }
        return "\(preposition) \(opener.text(for: client)) at \(interval.start)"
    }
}

/// A condition that a word waits for, for the ruling and its message when the condition is not met.
struct AwaitedCondition {
    let condition: ConditionTracker
    /// The instant from which the condition has been awaited.
    let start: Instant
    /// When it is due: `within 500ms of the start of the run`.
    let due: String
    /// The condition's place in a sequence, `as step 2 of 3 `; empty for a single condition.
    var place = ""
    /// The indexes of the events that led up to the wait.
    let events: [Int]

    /// The ruling when the deadline passes.
    func missed(by deadline: Instant) -> WordRuling { missed(by: deadline, due) }

    /// The ruling when the interval ends first.
    func ruling(at end: Instant, _ closing: IntervalEnd, hasDeadline: Bool) -> WordRuling {
        switch closing {
        case .run where hasDeadline: .cut("the run ended at \(end), before \(condition.text) was due \(due)")
        case .run(finished: false): .cut("\(ScriptEnd.unfinished), and \(condition.text) was not met by \(end)")
        case .run(finished: true): missed(by: end, "before the run ended at \(end)")
        case .scope: missed(by: end, "before the scope closed at \(end)")
        }
    }

    private func missed(by end: Instant, _ due: String) -> WordRuling {
        let (past, expected) = condition.shortfall(from: start, to: end)
        let text = "\(past); expected \(expected.map { "\($0) " } ?? "")\(place)\(due)"
        var reason = Reason(text, expectedBy: end, events: events, lastSeen: condition.lastSeen)
        reason.seen = condition.levels.flatMap { $0.seen(from: start) }
        return .broken(reason)
    }
}
