import SquallCore

/// `always`: holds at every instant of the interval, or for as long as the bound from its start.
///
/// What was never shown is not judged: an observable that comes late is not a broken promise. Of several, each is judged
/// from when it was shown. Unless all were shown, the word has nothing to say in favour of the run.
struct AlwaysWord: Word {
    private let limit: Limit
    private var interval = Interval(start: .zero, order: -1)
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
        deadline = limit.shortest(from: interval.start)
    }

    mutating func settle(at time: Instant, _ conditions: [ConditionTracker]) {
        if conditions[0].held {
            isJudged = isJudged || conditions[0].isReported
        } else if conditions[0].isRefuted {
            fail(at: time, conditions[0])
        }
    }

    private mutating func fail(at time: Instant, _ condition: ConditionTracker) {
        let (past, expected) = condition.refutation(at: time)
        ruling = .broken(
            Reason(
                "\(past); expected \(expected) throughout, \(limit.lasting(interval))",
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
        case .run where deadline != nil:
            ruling = .cut("the run ended at \(time), and it was to hold \(limit.lasting(interval))")
        case .run(finished: false): ruling = .cut("the script did not finish")
        case .run(finished: true), .scope: conclude(conditions)
        }
    }

    private mutating func conclude(_ conditions: [ConditionTracker]) {
        guard isJudged else {
            ruling = .vacuous("\(conditions[0].text): never reported")
            return
        }
        let event = conditions[0].change.event
        ruling = .met(event >= 0 ? [event] : [])
    }
}
