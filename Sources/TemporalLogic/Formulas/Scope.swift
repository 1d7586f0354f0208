/// The part of a run in which an expectation is evaluated.
///
/// An event is in the scope if it comes after the event that opened the scope and before the event that closes it. If a
/// state opens or closes the scope, the change that made the state true counts as that event. States are evaluated from
/// the instant at which the scope opens to the last instant before it closes.
package enum Scope: Hashable, Sendable {
    /// The whole run, from its first instant to its last.
    case run
    /// The part of the run after the condition is first met.
    case after(Condition)
    /// The part of the run before the condition is first met. If it is never met, the expectation is inconclusive.
    case before(Condition)
    /// Each interval that begins when the first condition is met, and ends when the second condition is met or when the
    /// run ends.
    case between(Condition, Condition)
    /// Every period in which the fault with this label is active.
    case during(fault: String)
    /// The last instant of the run.
    case atEnd

    /// The condition that opens the scope; nil if the scope opens at the start of the run or consists of its last
    /// instant.
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
