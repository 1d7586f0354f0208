import SquallCore

/// `eventually`: met at least once, within the bound of the interval's start.
struct EventuallyWord: Word {
    private let limit: Limit
    private var interval = Interval(start: .zero, order: -1)
    private(set) var ruling = WordRuling.open
    private(set) var deadline: Instant?

    init(_ limit: Limit) {
        self.limit = limit
    }

    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker]) {
        self.interval = interval
        ruling = .open
        deadline = limit.latest(from: interval.start)
    }

    mutating func happened(_ occurrence: Occurrence, of condition: Int, _ conditions: [ConditionTracker]) {
        ruling = .met([occurrence.event])
    }

    mutating func settle(at time: Instant, _ conditions: [ConditionTracker]) {
        guard conditions[0].isLevel, conditions[0].held else { return }
        let event = conditions[0].change.event
        ruling = .met(event >= 0 ? [event] : [])
    }

    mutating func expire(_ conditions: [ConditionTracker]) {
        guard let deadline else { return }
        fail(at: deadline, conditions, limit.within(interval))
    }

    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker]) {
        switch closing {
        case .run where deadline != nil:
            ruling = .cut("the run ended at \(time), before \(conditions[0].text) was due \(limit.within(interval))")
        case .run(finished: false):
            ruling = .cut("the script did not finish, and \(conditions[0].text) had not come about by \(time)")
        case .scope: fail(at: time, conditions, "before the scope closed at \(time)")
        case .run(finished: true): fail(at: time, conditions, "before the run ended at \(time)")
        }
    }

    private mutating func fail(at time: Instant, _ conditions: [ConditionTracker], _ due: String) {
        let (past, expected) = conditions[0].shortfall(from: interval.start, to: time)
        ruling = .broken(
            Reason(
                "\(past); expected \(expected.map { "\($0) " } ?? "")\(due)",
                expectedBy: time,
                events: interval.event.map { [$0] } ?? [],
                lastSeen: conditions[0].lastSeen
            )
        )
    }
}
