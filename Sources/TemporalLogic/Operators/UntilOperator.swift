import SquallCore

/// `until`: the state holds from the scope's start until the release condition is met, which must happen within the
/// bound.
struct UntilOperator: TemporalOperator {
    let hold: StateCondition
    let release: Condition

    static let spec = OperatorSpec(
        name: "until",
        form: "{ hold: STATE, release: CONDITION, within: 20s }",
        meaning: "The state holds until the release is met.",
        keys: [
            OperatorKey("hold", .state, .required, "The state that holds from the start."),
            OperatorKey("release", .condition, .required, "The condition that ends this requirement."),
        ],
        bound: .required
    ) { arguments in
        guard let hold: StateCondition = arguments["hold"], let release: Condition = arguments["release"] else {
            return nil
        }
        return .until(hold, release)
    }

    var conditions: [Condition] { [Condition(event: nil, state: hold), release] }
    var goal: Condition? { release }

    func monitor(_ limit: Limit) -> any OperatorMonitor { UntilMonitor(limit) }

    func violations(for client: ClientID?) -> [Violation] { hold.violations(for: client) }
}

extension Formula {
    /// Creates a claim that the state holds from the scope's start until `release` is met, which must happen within the
    /// bound.
    package static func until(_ hold: StateCondition, _ release: Condition) -> Formula {
        Formula(UntilOperator(hold: hold, release: release))
    }
}

/// Evaluates `until`.
///
/// The state need not hold at the instant of the release. The result is vacuous if the release condition is met before
/// the state has held at the end of any instant.
struct UntilMonitor: OperatorMonitor {
    private let limit: Limit
    private var interval = Interval(start: .zero, order: -1)
    /// Whether the state held at the end of an instant at which all of its observables had been reported.
    private var isJudged = false
    private(set) var status = OperatorStatus.open
    private(set) var deadline: Instant?

    init(_ limit: Limit) {
        self.limit = limit
    }

    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker]) {
        self.interval = interval
        isJudged = false
        status = .open
        deadline = limit.latest(from: interval.start)
    }

    mutating func happened(_ occurrence: Occurrence, of condition: Int, _ conditions: [ConditionTracker]) {
        release(at: occurrence.time, by: occurrence.event, conditions)
    }

    mutating func settle(at time: Instant, _ conditions: [ConditionTracker]) {
        if conditions[1].isStateOnly, conditions[1].held {
            release(at: time, by: conditions[1].change.event, conditions)
        } else if conditions[0].held {
            isJudged = isJudged || conditions[0].isReported
        } else if conditions[0].isRefuted {
            expire(at: time, conditions[0], before: conditions[1])
        }
    }

    private mutating func release(at time: Instant, by event: Int, _ conditions: [ConditionTracker]) {
        guard !isJudged else {
            status = .met(event >= 0 ? [event] : [])
            return
        }
        let why =
            conditions[0].isReported
            ? "came at \(time), before \(conditions[0].text) could be required, \(from)"
            : "came at \(time), before \(conditions[0].text) was ever reported"
        status = .vacuous("\(conditions[1].text) \(why)")
    }

    private mutating func expire(at time: Instant, _ held: ConditionTracker, before end: ConditionTracker) {
        let (past, expected) = held.refutation(at: time)
        status = .broken(
            Reason(
                "\(past), before \(end.text); expected \(expected) until then, \(from)",
                events: [interval.event, held.change.event].compactMap(\.self).filter { $0 >= 0 },
                lastSeen: held.lastSeen
            )
        )
    }

    private var from: String {
        Limit(nil, .none, for: limit.client).lasting(interval)
    }

    mutating func expire(_ conditions: [ConditionTracker]) {
        if let deadline { status = awaited(conditions).missed(by: deadline) }
    }

    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker]) {
        status = awaited(conditions).status(at: time, closing, hasDeadline: deadline != nil)
    }

    private func awaited(_ conditions: [ConditionTracker]) -> AwaitedCondition {
        AwaitedCondition(
            condition: conditions[1],
            start: interval.start,
            due: limit.within(interval),
            events: interval.event.map { [$0] } ?? []
        )
    }
}
