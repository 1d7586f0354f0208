import SquallCore

/// `always`: the state holds at every instant of the scope. With a bound, it need only hold for that long from the
/// scope's start.
struct AlwaysOperator: TemporalOperator {
    let state: StateCondition

    static let spec = OperatorSpec(
        name: "always",
        form: "{ STATE, for: 10s }",
        meaning: "The state holds at every instant.",
        body: .state,
        bound: .lasting,
        atEnd: .lastInstant
    ) { arguments in
        let state: StateCondition? = arguments[OperatorSpec.body]
        return state.map { .always($0) }
    }

    var conditions: [Condition] { [Condition(event: nil, state: state)] }

    func monitor(_ limit: Limit) -> any OperatorMonitor { AlwaysMonitor(limit) }

    func violations(for client: ClientID?) -> [Violation] { state.violations(for: client) }
}

extension Formula {
    /// Creates a claim that the state holds at every instant of the scope. With a bound, the state need only hold for
    /// that long from the scope's start.
    package static func always(_ state: StateCondition) -> Formula { Formula(AlwaysOperator(state: state)) }
}

/// Evaluates `always`.
///
/// An observable is checked only after its first report, so a late first report does not violate the claim. The result
/// is vacuous unless all of the state's observables had been reported at some instant.
struct AlwaysMonitor: OperatorMonitor {
    private let limit: Limit
    private var interval = Interval(start: .zero, order: -1)
    /// Whether the state held at an instant at which all of its observables had been reported.
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
        deadline = limit.shortest(from: interval.start)
    }

    mutating func settle(at time: Instant, _ conditions: [ConditionTracker]) {
        if conditions[0].held {
            isJudged = isJudged || conditions[0].isReported
        } else if conditions[0].isRefuted {
            fail(at: time, conditions[0])
        }
    }

    /// Advice for the failure message if the scope is the whole run and the state did not hold at its start; otherwise
    /// empty.
    private var remedy: String {
        interval.start == .zero && interval.event == nil && !isJudged ? "; with 'after: EVENT' it begins later" : ""
    }

    private mutating func fail(at time: Instant, _ condition: ConditionTracker) {
        let (past, expected) = condition.refutation(at: time)
        status = .broken(
            Reason(
                "\(past); expected \(expected) throughout, \(limit.lasting(interval))\(remedy)",
                events: [interval.event, condition.change.event].compactMap(\.self).filter { $0 >= 0 },
                lastSeen: condition.lastSeen
            )
        )
    }

    mutating func expire(_ conditions: [ConditionTracker]) {
        conclude(conditions)
    }

    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker]) {
        switch closing {
        case .run where deadline != nil: status = limit.cutShort(interval, at: time)
        case .run(finished: false): status = .cut(ScriptEnd.unfinished)
        case .run(finished: true), .scope: conclude(conditions)
        }
    }

    private mutating func conclude(_ conditions: [ConditionTracker]) {
        guard isJudged else {
            status = .vacuous("\(conditions[0].text): never reported")
            return
        }
        let event = conditions[0].change.event
        status = .met(event >= 0 ? [event] : [])
    }
}
