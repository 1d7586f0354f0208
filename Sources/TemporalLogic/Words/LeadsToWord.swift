import SquallCore

/// `leads_to`: each time the first is met, the second is met within the bound.
///
/// One answer serves all that wait.
///
/// Of two events, the answer stands behind its trigger in the trace. Where either is a state, whatever shares its instant
/// counts. A state that holds as the interval begins is a trigger. A trigger that comes when the script has been played
/// is answered in time as long as the run goes on; it does not prolong the run, or what answers itself would for ever.
struct LeadsToWord: Word {
    private let limit: Limit
    private var interval = Interval(start: .zero, order: -1)
    /// Triggers that wait for their answer, the oldest first.
    private var waiting: [Occurrence] = []
    private var isTriggered = false
    private var isFirstInstant = true
    private var answers: [Int] = []
    private var scriptEnd = Instant.never
    private(set) var ruling = WordRuling.open

    init(_ limit: Limit) {
        self.limit = limit
    }

    var deadline: Instant? { waiting.first.flatMap { limit.latest(from: $0.time) } }
    var openUntil: Instant? { waiting.last { $0.time <= scriptEnd }.flatMap { limit.latest(from: $0.time) } }

    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker]) {
        self.interval = interval
        waiting = []
        isTriggered = false
        isFirstInstant = true
        answers = []
        ruling = .open
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
        if conditions[0].isLevel, conditions[0].held, conditions[0].rose || isFirstInstant {
            let change = conditions[0].change
            waiting.append(Occurrence(time: time, order: change.order, event: change.event))
            isTriggered = true
            if !conditions[1].isLevel, let last = conditions[1].last, last.time == time {
                answer(by: last.event) { _ in true }
            }
        }
        isFirstInstant = false
        if conditions[1].isLevel, conditions[1].held, !waiting.isEmpty {
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
        fail(trigger, at: deadline, conditions, due(trigger, conditions))
    }

    mutating func scriptEnded(at time: Instant) {
        scriptEnd = min(scriptEnd, time)
    }

    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker]) {
        if closing == .run(finished: true), !answers.isEmpty { waiting.removeAll { $0.time > scriptEnd } }
        guard let trigger = waiting.first else {
            if !isTriggered {
                ruling = .vacuous("\(conditions[0].text) never happened")
            } else if closing == .run(finished: false) {
                ruling = .cut("the script did not finish")
            } else {
                ruling = .met(answers)
            }
            return
        }
        switch closing {
        case .run where deadline != nil:
            ruling = .cut("the run ended at \(time), before \(conditions[1].text) was due \(due(trigger, conditions))")
        case .run(finished: false): ruling = .cut("the script did not finish")
        case .scope: fail(trigger, at: time, conditions, "before the scope closed at \(time)")
        case .run(finished: true): fail(trigger, at: time, conditions, "before the run ended at \(time)")
        }
    }

    private func due(_ trigger: Occurrence, _ conditions: [ConditionTracker]) -> String {
        limit.within(Interval(start: trigger.time, order: trigger.order, opener: conditions[0].condition))
    }

    private mutating func fail(_ trigger: Occurrence, at time: Instant, _ conditions: [ConditionTracker], _ due: String)
    {
        let (past, expected) = conditions[1].shortfall(from: trigger.time, to: time)
        ruling = .broken(
            Reason(
                "\(past); expected \(expected.map { "\($0) " } ?? "")\(due)",
                expectedBy: time,
                events: trigger.event >= 0 ? [trigger.event] : [],
                lastSeen: conditions[1].lastSeen
            )
        )
    }
}
