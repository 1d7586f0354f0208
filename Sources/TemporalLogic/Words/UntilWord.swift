import Foundations

/// `until`: the first holds from the interval's start until the second is met, which must come within the bound.
///
/// At the instant at which the second is met, the first is no longer asked for.
struct UntilWord: Word {
    private let limit: Limit
    private var interval = Interval(start: .zero, order: -1)
    private(set) var ruling = Ruling.open
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
        if conditions[1].isLevel, conditions[1].held {
            let event = conditions[1].change.event
            ruling = .met(event >= 0 ? [event] : [])
        } else if !conditions[0].held, conditions[0].isReported {
            lapse(at: time, conditions[0], before: conditions[1])
        }
    }

    private mutating func lapse(at time: Instant, _ held: ConditionTracker, before end: ConditionTracker) {
        let (past, expected) = held.shortfall(from: time, to: time)
        ruling = .broken(
            Reason(
                "\(past), before \(end.text); expected \(expected ?? held.text) until then, \(from)",
                events: [interval.event, held.change.event].compactMap(\.self).filter { $0 >= 0 },
                lastSeen: held.lastSeen
            )
        )
    }

    private var from: String {
        Limit(nil, .none, for: limit.client).lasting(interval)
    }

    mutating func expire(_ conditions: [ConditionTracker]) {
        guard let deadline else { return }
        fail(at: deadline, conditions, limit.within(interval))
    }

    mutating func close(at time: Instant, _ closing: Closing, _ conditions: [ConditionTracker]) {
        switch closing {
        case .run where deadline != nil:
            ruling = .cut("the run ended at \(time), before \(conditions[1].text) was due \(limit.within(interval))")
        case .run(finished: false): ruling = .cut("the script did not finish")
        case .scope: fail(at: time, conditions, "before the scope closed at \(time)")
        case .run(finished: true): fail(at: time, conditions, "before the run ended at \(time)")
        }
    }

    private mutating func fail(at time: Instant, _ conditions: [ConditionTracker], _ due: String) {
        let (past, expected) = conditions[1].shortfall(from: interval.start, to: time)
        ruling = .broken(
            Reason(
                "\(past); expected \(expected.map { "\($0) " } ?? "")\(due)",
                expectedBy: time,
                events: interval.event.map { [$0] } ?? [],
                lastSeen: conditions[1].lastSeen
            )
        )
    }
}
