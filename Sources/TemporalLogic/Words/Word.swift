import SquallCore
import Trace

/// One stretch of a run in which a word is judged.
struct Interval: Sendable {
    var start: Instant
    /// Events after this index are in it.
    var order: Int
    /// The event that opened it; nil for one that is open from the beginning.
    var event: Int?
    /// What opened it, for texts.
    var opener: Condition?
}

/// What a word says of the interval that it has seen so far.
enum WordRuling: Hashable, Sendable {
    case open
    /// It is as claimed, whatever comes. The events that showed it.
    case met([Int])
    case broken(Reason)
    /// There was nothing to judge.
    case vacuous(String)
    /// The run stopped before it could be judged.
    case cut(String)
}

/// Why an interval ends.
enum IntervalEnd: Hashable, Sendable {
    /// The scope closed.
    case scope
    /// The run ended, having played its script to the end or not.
    case run(finished: Bool)
}

/// The machine behind one word of the language, for one client, in one interval after the other.
///
/// The instants that it is told never go back. It is told events as they happen, then that their instant is over.
protocol Word: Sendable {
    var ruling: WordRuling { get }

    /// Whether the ruling is open; cheaper to ask.
    var isOpen: Bool { get }

    /// When time has passed this instant, ``expire(_:)`` is due.
    var deadline: Instant? { get }

    /// An interval begins; what was before is forgotten.
    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker])

    /// One of the formula's conditions was met by an event inside the interval.
    mutating func happened(_ occurrence: Occurrence, of condition: Int, _ conditions: [ConditionTracker])

    /// An instant is over.
    mutating func settle(at time: Instant, _ conditions: [ConditionTracker])

    /// The deadline has passed.
    mutating func expire(_ conditions: [ConditionTracker])

    /// The interval ends; afterwards the ruling is not open.
    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker])

    /// Until when the run has to go on for this word; nil where it need not.
    var openUntil: Instant? { get }

    /// The script has been played: what begins from now on does not keep the run from ending.
    mutating func scriptEnded(at time: Instant)

    /// What it has to be told, besides what its conditions have.
    var readings: [Reading] { get }

    /// Takes in such an event, in or out of an interval; false where it did not matter after all.
    mutating func observe(_ event: TraceEvent, in state: ObservedState, isInside: Bool) -> Bool
}

extension Word {
    var isOpen: Bool { if case .open = ruling { true } else { false } }
    var openUntil: Instant? { deadline }
    mutating func happened(_ occurrence: Occurrence, of condition: Int, _ conditions: [ConditionTracker]) {}
    var readings: [Reading] { [] }
    mutating func scriptEnded(at time: Instant) {}
    mutating func observe(_ event: TraceEvent, in state: ObservedState, isInside: Bool) -> Bool { false }
}

/// How long a word has, and how to say so.
struct Limit: Sendable {
    let bound: TimeSpan?
    let tolerance: TimeSpan
    let client: ClientID?

    init(_ bound: TimeSpan?, _ tolerance: Tolerance, for client: ClientID?) {
        self.bound = bound
        self.tolerance = bound.map(tolerance.of) ?? .zero
        self.client = client
    }

    /// The last instant at which it is in time.
    func latest(from start: Instant) -> Instant? {
        bound.map { start + $0 + tolerance }
    }

    /// The last instant up to which something has to last: tolerance makes it shorter.
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

    var forgiven: String { tolerance == .zero ? "" : " (+\(tolerance) tolerance)" }

    private func origin(_ interval: Interval, _ preposition: String) -> String {
        guard let opener = interval.opener else { return "\(preposition) the start of the run" }
        return "\(preposition) \(opener.text(for: client)) at \(interval.start)"
    }
}

extension Formula {
    /// The machine that judges it for one client.
    func machine(_ limit: Limit) -> any Word {
        switch self {
        case .eventually: EventuallyWord(limit)
        case .always: AlwaysWord(limit)
        case .never: NeverWord(limit)
        case .until: UntilWord(limit)
        case .leadsTo: LeadsToWord(limit)
        case .inOrder(let conditions, let strict): InOrderWord(limit, steps: conditions, isStrict: strict)
        case .count(_, let count, let window): CountWord(limit, count, inAny: window)
        case .transitions(let observable, let values, let exhaustive):
            TransitionsWord(limit, of: observable, are: values, isExhaustive: exhaustive)
        case .delivered(let delivery): DeliveredWord(limit, delivery)
        case .same(let one, let other): SameWord(limit, one, other)
        }
    }
}
