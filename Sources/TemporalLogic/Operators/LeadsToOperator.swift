import SquallCore

/// `leads_to`: each time the trigger is met, the response is met within the bound. One response serves all open
/// triggers.
struct LeadsToOperator: TemporalOperator {
    let when: Condition
    let then: Condition

    static let spec = OperatorSpec(
        name: "leads_to",
        form: "{ when: CONDITION, then: CONDITION, within: 1s }",
        meaning: "Whenever the trigger is met, the other condition follows.",
        keys: [
            OperatorKey("when", .condition, .required, "The trigger."),
            OperatorKey("then", .condition, .required, "The condition that must follow each trigger."),
        ],
        bound: .required
    ) { arguments in
        guard let when: Condition = arguments["when"], let then: Condition = arguments["then"] else { return nil }
        return .leadsTo(when: when, then: then)
    }

    var conditions: [Condition] { [when, then] }
    var trigger: Condition? { when }

    func monitor(_ limit: Limit) -> any OperatorMonitor { LeadsToMonitor(limit) }
}

extension Formula {
    /// Creates a claim that each time the trigger is met, the response is met within the bound.
    ///
    /// One response serves all open triggers.
    package static func leadsTo(when: Condition, then: Condition) -> Formula {
        Formula(LeadsToOperator(when: when, then: then))
    }
}

/// Evaluates `leads_to`.
///
/// If trigger and response are both events, the response must come after the trigger in the trace; otherwise both may
/// be at the same instant. A state that holds when the interval begins is a trigger. A trigger after the script's end
/// is evaluated while the run continues, but does not prolong the run: a client that keeps triggering itself would
/// otherwise keep the run from ending.
struct LeadsToMonitor: OperatorMonitor {
    private let limit: Limit
    private var interval = Interval(start: .zero, order: -1)
    /// The triggers that have not received a response yet, oldest first.
    private var waiting: [Occurrence] = []
    private var isTriggered = false
    private var isFirstInstant = true
    /// The indexes of two events: the last trigger that received a response, and the response.
    private var answers: [Int] = []
    private var scriptEnd = Instant.never
    private(set) var status = OperatorStatus.open

    init(_ limit: Limit) {
        self.limit = limit
    }

    var deadline: Instant? { waiting.first.flatMap { limit.latest(from: $0.time) } }
    var runMustLastUntil: Instant? { waiting.last { $0.time <= scriptEnd }.flatMap { limit.latest(from: $0.time) } }

    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker]) {
        self.interval = interval
        waiting = []
        isTriggered = false
        isFirstInstant = true
        answers = []
        status = .open
    }

    mutating func happened(_ occurrence: Occurrence, of condition: Int, _ conditions: [ConditionTracker]) {
        if condition == 0 {
            waiting.append(occurrence)
            isTriggered = true
        } else {
            answer(by: occurrence.event) { $0.order < occurrence.order }
        }
    }

    mutating func settle(at time: Instant, _ conditions: [ConditionTracker]) {
        if conditions[0].isStateOnly, conditions[0].held, conditions[0].beganToHold || isFirstInstant {
            let change = conditions[0].change
            waiting.append(Occurrence(time: time, order: change.order, event: change.event))
            isTriggered = true
            if !conditions[1].isStateOnly, let last = conditions[1].last, last.time == time {
                answer(by: last.event) { _ in true }
            }
        }
        isFirstInstant = false
        if conditions[1].isStateOnly, conditions[1].held, !waiting.isEmpty {
            answer(by: conditions[1].change.event) { _ in true }
        }
    }

    private mutating func answer(by event: Int, where isAnswered: (Occurrence) -> Bool) {
        guard let first = waiting.first, isAnswered(first) else { return }
        answers = [first.event, event].filter { $0 >= 0 }
        waiting.removeAll(where: isAnswered)
    }

    mutating func expire(_ conditions: [ConditionTracker]) {
        guard let trigger = waiting.first, let deadline else { return }
        status = answer(to: trigger, conditions).missed(by: deadline)
    }

    mutating func scriptEnded(at time: Instant) {
        scriptEnd = min(scriptEnd, time)
    }

    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker]) {
        if closing == .run(finished: true), !answers.isEmpty { waiting.removeAll { $0.time > scriptEnd } }
        guard let trigger = waiting.first else {
            if !isTriggered {
                status = .vacuous("\(conditions[0].text) never happened")
            } else if closing == .run(finished: false) {
                status = .cut(ScriptEnd.unfinished)
            } else {
                status = .met(answers)
            }
            return
        }
        status = answer(to: trigger, conditions).status(at: time, closing, hasDeadline: deadline != nil)
    }

    private func answer(to trigger: Occurrence, _ conditions: [ConditionTracker]) -> AwaitedCondition {
        let origin = Interval(start: trigger.time, order: trigger.order, opener: conditions[0].condition)
        return AwaitedCondition(
            condition: conditions[1],
            start: trigger.time,
            due: limit.within(origin),
            events: trigger.event >= 0 ? [trigger.event] : []
        )
    }
}
