import SquallCore

/// `eventually`: the condition is met at least once, within the bound from the scope's start.
struct EventuallyOperator: TemporalOperator {
    let condition: Condition

    static let spec = OperatorSpec(
        name: "eventually",
        form: "{ CONDITION, within: 20s }",
        meaning: "The condition is met at least once.",
        body: .condition,
        bound: .required,
        atEnd: .lastInstant
    ) { arguments in
        let condition: Condition? = arguments[OperatorSpec.body]
        return condition.map { .eventually($0) }
    }

    var conditions: [Condition] { [condition] }
    var goal: Condition? { condition }

    func monitor(_ limit: Limit) -> any OperatorMonitor { EventuallyMonitor(limit) }
}

extension Formula {
    /// Creates a claim that the condition is met at least once, within the bound from the scope's start.
    package static func eventually(_ condition: Condition) -> Formula {
        Formula(EventuallyOperator(condition: condition))
    }
}

/// Evaluates `eventually`.
///
/// An event satisfies the claim immediately, a state only at the end of the instant. The claim is violated if the
/// deadline passes or the scope closes first.
struct EventuallyMonitor: OperatorMonitor {
    private let limit: Limit
    private var interval = Interval(start: .zero, order: -1)
    private(set) var status = OperatorStatus.open
    private(set) var deadline: Instant?

    init(_ limit: Limit) {
        self.limit = limit
    }

    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker]) {
        self.interval = interval
        status = .open
        deadline = limit.latest(from: interval.start)
    }

    mutating func happened(_ occurrence: Occurrence, of condition: Int, _ conditions: [ConditionTracker]) {
        status = .met([occurrence.event])
    }

    mutating func settle(at time: Instant, _ conditions: [ConditionTracker]) {
        guard conditions[0].isStateOnly, conditions[0].held else { return }
        let event = conditions[0].change.event
        status = .met(event >= 0 ? [event] : [])
    }

    mutating func expire(_ conditions: [ConditionTracker]) {
        if let deadline { status = awaited(conditions).missed(by: deadline) }
    }

    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker]) {
        status = awaited(conditions).status(at: time, closing, hasDeadline: deadline != nil)
    }

    private func awaited(_ conditions: [ConditionTracker]) -> AwaitedCondition {
        AwaitedCondition(
            condition: conditions[0],
            start: interval.start,
            due: limit.within(interval),
            events: interval.event.map { [$0] } ?? []
        )
    }
}
