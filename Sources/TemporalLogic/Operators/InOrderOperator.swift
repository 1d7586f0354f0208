import SquallCore

/// `in_order`: the conditions are met one after another, the last within the bound from the scope's start.
struct InOrderOperator: TemporalOperator {
    let steps: [Condition]
    /// Whether a condition that is met out of order violates the claim.
    let isStrict: Bool

    static let spec = OperatorSpec(
        name: "in_order",
        form: "{ of: [CONDITION, …], strict: true, within: 20s }",
        meaning: "The conditions are met in this order.",
        keys: [
            OperatorKey("of", .conditions, .required, "The conditions, in the order expected."),
            OperatorKey("strict", .flag, .optional, "No condition may be met out of order."),
        ],
        bound: .required
    ) { arguments in
        guard let steps: [Condition] = arguments["of"] else { return nil }
        return .inOrder(steps, strict: arguments["strict"] ?? false)
    }

    var conditions: [Condition] { steps }
    var goal: Condition? { steps.last }

    func problems(bound: TimeSpan?) -> [String] {
        steps.count < 2 ? ["'in_order' needs at least two conditions"] : []
    }

    func monitor(_ limit: Limit) -> any OperatorMonitor { InOrderMonitor(limit, steps: steps, isStrict: isStrict) }
}

extension Formula {
    /// Creates a claim that the conditions are met one after another, the last within the bound from the scope's start.
    ///
    /// With `strict`, none of them may be met out of order.
    package static func inOrder(_ steps: [Condition], strict: Bool) -> Formula {
        Formula(InOrderOperator(steps: steps, isStrict: strict))
    }
}

/// Evaluates `in_order`.
///
/// Other events may occur between the steps. A state that already holds when it becomes the next step counts as met. In
/// strict mode, a state counts as met only at the instant at which it begins to hold, and meeting any step out of order
/// before the last step has been met is a failure.
struct InOrderMonitor: OperatorMonitor {
    private let limit: Limit
    private let steps: [Condition]
    private let isStrict: Bool
    private var interval = Interval(start: .zero, order: -1)
    /// The number of steps met so far, which is also the index of the next step.
    private var done = 0
    private var lastTime = Instant.zero
    private var events: [Int] = []
    /// The steps met by events at the current instant.
    private var met: [(step: Int, occurrence: Occurrence)] = []
    private var isFirstInstant = true
    private(set) var status = OperatorStatus.open
    private(set) var deadline: Instant?

    init(_ limit: Limit, steps: [Condition], isStrict: Bool) {
        self.limit = limit
        self.steps = steps
        self.isStrict = isStrict
    }

    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker]) {
        self.interval = interval
        done = 0
        lastTime = interval.start
        events = interval.event.map { [$0] } ?? []
        met = []
        isFirstInstant = true
        status = .open
        deadline = limit.latest(from: interval.start)
    }

    mutating func happened(_ occurrence: Occurrence, of condition: Int, _ conditions: [ConditionTracker]) {
        met.append((condition, occurrence))
    }

    mutating func settle(at time: Instant, _ conditions: [ConditionTracker]) {
        if isStrict {
            settleStrictly(at: time, conditions)
        } else {
            settleLoosely(at: time, conditions)
        }
        met.removeAll(keepingCapacity: true)
        isFirstInstant = false
        if done == steps.count, case .open = status { status = .met(events) }
    }

    private mutating func settleLoosely(at time: Instant, _ conditions: [ConditionTracker]) {
        // Events must occur in the order of the steps; a state counts as simultaneous with every event at its instant.
        var floor = Int.min
        while done < steps.count {
            if conditions[done].isStateOnly {
                guard conditions[done].held else { return }
                advance(at: time, by: conditions[done].change.event)
            } else {
                let candidates = met.filter { $0.step == done && $0.occurrence.order > floor }
                guard let first = candidates.map(\.occurrence).min(by: { $0.order < $1.order }) else { return }
                floor = first.order
                advance(at: time, by: first.event)
            }
        }
    }

    private mutating func settleStrictly(at time: Instant, _ conditions: [ConditionTracker]) {
        for (step, condition) in conditions.enumerated() where condition.isStateOnly && condition.held {
            guard condition.beganToHold || (isFirstInstant && step == 0) else { continue }
            met.append((step, condition.change))
        }
        met.sort { ($0.occurrence.order, $0.step) < ($1.occurrence.order, $1.step) }
        var index = 0
        while index < met.count, done < steps.count {
            // An event that meets several steps counts only for the step that is expected next.
            let order = met[index].occurrence.order
            let same = met[index...].prefix { $0.occurrence.order == order }
            index += same.count
            if let turn = same.first(where: { $0.step == done }) {
                advance(at: time, by: turn.occurrence.event)
            } else if let first = same.first {
                let text = conditions[first.step].text
                status = .broken(
                    Reason(
                        "\(text) happened at \(time), out of order; expected \(conditions[done].text) next (\(place)), "
                            + limit.within(interval),
                        events: events + (first.occurrence.event >= 0 ? [first.occurrence.event] : []),
                        lastSeen: conditions[done].lastSeen
                    )
                )
                return
            }
        }
    }

    private var place: String { "step \(done + 1) of \(steps.count)" }

    private mutating func advance(at time: Instant, by event: Int) {
        done += 1
        lastTime = time
        if event >= 0 { events.append(event) }
    }

    mutating func expire(_ conditions: [ConditionTracker]) {
        if let deadline { status = awaited(conditions).missed(by: deadline) }
    }

    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker]) {
        if !met.isEmpty { settle(at: time, conditions) }
        guard case .open = status else { return }
        status = awaited(conditions).status(at: time, closing, hasDeadline: deadline != nil)
    }

    private func awaited(_ conditions: [ConditionTracker]) -> AwaitedCondition {
        AwaitedCondition(
            condition: conditions[done],
            start: lastTime,
            due: limit.within(interval),
            place: "as \(place) ",
            events: events
        )
    }
}
