/// The part of a run in which an expectation is judged.
///
/// An event is in the scope if it comes after the event that opened the scope and before the event that closes it. If a
/// state opens or closes the scope, the change that made the state true counts as that event. States are judged from
/// the instant at which the scope opens to the last instant before it closes.
package enum Scope: Hashable, Sendable {
    /// From the first instant of the run to the last.
    case run
    /// From the first time the condition is met.
    case after(Condition)
    /// Up to the first time the condition is met. If it never is, the expectation is inconclusive.
    case before(Condition)
    /// From each time the first condition is met to the next time the second one is, or to the run's end.
    case between(Condition, Condition)
    /// Every period in which the fault with this label is active.
    case during(fault: String)
    /// At the run's last instant.
    case atEnd

    /// The condition that opens the scope; nil if it is open from the start of the run, or only at its end.
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

    /// The conditions that open and close the scope.
    var conditions: [Condition] { [opening, closing].compactMap(\.self) }

    /// Whether the scope may open again after it has closed.
    var isRepeated: Bool {
        switch self {
        case .run, .after, .before, .atEnd: false
        case .between, .during: true
        }
    }
}
