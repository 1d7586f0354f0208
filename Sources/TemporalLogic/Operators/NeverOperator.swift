import SquallCore

/// `never`: the condition is not met in the scope. With a bound, it must not be met for that long from the scope's
/// start.
struct NeverOperator: TemporalOperator {
    let condition: Condition

    static let spec = OperatorSpec(
        name: "never",
        form: "{ CONDITION, for: 10s }",
        meaning: "The condition is never met.",
        body: .condition,
        bound: .lasting,
        atEnd: .lastInstant
    ) { arguments in
        let condition: Condition? = arguments[OperatorSpec.body]
        return condition.map { .never($0) }
    }

    var conditions: [Condition] { [condition] }

    func monitor(_ limit: Limit) -> any OperatorMonitor { NeverMonitor(limit) }

    func violations(for client: ClientID?) -> [Violation] { condition.examples(1, for: client) }
}

extension Formula {
    /// Creates a claim that the condition is not met in the scope. With a bound, it must not be met for that long
    /// from the scope's start.
    package static func never(_ condition: Condition) -> Formula { Formula(NeverOperator(condition: condition)) }
}

/// Evaluates `never`.
struct NeverMonitor: OperatorMonitor {
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
        deadline = limit.shortest(from: interval.start)
    }

    mutating func happened(_ occurrence: Occurrence, of condition: Int, _ conditions: [ConditionTracker]) {
        offend("\(conditions[0].text) happened at \(occurrence.time)", occurrence.event, conditions)
    }

    mutating func settle(at time: Instant, _ conditions: [ConditionTracker]) {
        guard conditions[0].isStateOnly, conditions[0].held else { return }
        offend(conditions[0].present(at: time), conditions[0].change.event, conditions)
    }

    private mutating func offend(_ what: String, _ event: Int, _ conditions: [ConditionTracker]) {
        status = .broken(
            Reason(
                "\(what); expected never, \(limit.lasting(interval))",
                events: [interval.event, event].compactMap(\.self).filter { $0 >= 0 },
                lastSeen: conditions[0].lastSeen
            )
        )
    }

    mutating func expire(_ conditions: [ConditionTracker]) {
        status = .met([])
    }

    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker]) {
        switch closing {
        case .run where deadline != nil: status = limit.cutShort(interval, at: time)
        case .run(finished: false): status = .cut(ScriptEnd.unfinished)
        case .run(finished: true), .scope: status = .met([])
        }
    }
}
