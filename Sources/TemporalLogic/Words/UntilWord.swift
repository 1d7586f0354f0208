import SquallCore

/// `until`: the first holds from the interval's start until the second is met, which must come within the bound.
///
/// At the instant at which the second is met, the first is no longer asked for. Where that is so before the first was seen
/// to hold at any instant, nothing was judged.
struct UntilWord: Word {
    private let limit: Limit
    private var interval = Interval(start: .zero, order: -1)
    /// Whether the first was seen to hold at an instant that is over.
    private var isJudged = false
    private(set) var ruling = WordRuling.open
    private(set) var deadline: Instant?

    init(_ limit: Limit) {
        self.limit = limit
    }

    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker]) {
        self.interval = interval
        isJudged = false
        ruling = .open
        deadline = limit.latest(from: interval.start)
    }

    mutating func happened(_ occurrence: Occurrence, of condition: Int, _ conditions: [ConditionTracker]) {
        release(at: occurrence.time, by: occurrence.event, conditions)
    }

    mutating func settle(at time: Instant, _ conditions: [ConditionTracker]) {
        if conditions[1].isLevel, conditions[1].held {
            release(at: time, by: conditions[1].change.event, conditions)
        } else if conditions[0].held {
            isJudged = isJudged || conditions[0].isReported
        } else if conditions[0].isRefuted {
            lapse(at: time, conditions[0], before: conditions[1])
        }
    }

    private mutating func release(at time: Instant, by event: Int, _ conditions: [ConditionTracker]) {
        guard !isJudged else {
            ruling = .met(event >= 0 ? [event] : [])
            return
        }
        let why =
            conditions[0].isReported
            ? "came at \(time), before \(conditions[0].text) could be asked for, \(from)"
            : "came at \(time), before \(conditions[0].text) was ever reported"
        ruling = .vacuous("\(conditions[1].text) \(why)")
    }

    private mutating func lapse(at time: Instant, _ held: ConditionTracker, before end: ConditionTracker) {
        let (past, expected) = held.refutation(at: time)
        ruling = .broken(
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
        guard let deadline else { return }
        fail(at: deadline, conditions, limit.within(interval))
    }

    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker]) {
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
