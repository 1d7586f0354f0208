/// The part of a run in which an expectation is judged.
///
/// An event word counts the events after the one that opened the scope and before the one that closes it; where a state opens
/// or closes it, after or before the change since which that state holds. A state is judged from the instant at which the
/// scope opens, to before the instant at which it closes.
package enum Scope: Hashable, Sendable {
    /// From the first instant to the last.
    case run
    /// From the first time the condition is met.
    case after(Condition)
    /// Up to the first time the condition is met. Where it never is, there was no such scope.
    case before(Condition)
    /// From each time the first is met to the next time the second is, or to the run's end.
    case between(Condition, Condition)
    /// While the fault of this label is on, each time it is.
    case during(fault: String)
    /// The run's last instant alone.
    case atEnd

    /// What opens it; nil where it is open from the beginning, or only at the end.
    var opening: Condition? {
        switch self {
        case .run, .before, .atEnd: nil
        case .after(let condition), .between(let condition, _): condition
        case .during(let label): .event(EventPattern("fault.began", key: label))
        }
    }

    var closing: Condition? {
        switch self {
        case .run, .after, .atEnd: nil
        case .before(let condition), .between(_, let condition): condition
        case .during(let label): .event(EventPattern("fault.ended", key: label))
        }
    }

    /// The conditions that open and close it.
    var conditions: [Condition] { [opening, closing].compactMap(\.self) }

    /// Whether it may open again after it has closed.
    var isRepeated: Bool {
        switch self {
        case .run, .after, .before, .atEnd: false
        case .between, .during: true
        }
    }
}
