import SquallCore

/// `in_order`: met one after the other, the last within the bound of the interval's start.
///
/// Other things may happen in between. Strict: none of the steps out of turn, until the last is done. A state that
/// holds when its turn comes is met; strictly, it has to come to hold then.
struct InOrderWord: Word {
    private let limit: Limit
    private let steps: [Condition]
    private let isStrict: Bool
    private var interval = Interval(start: .zero, order: -1)
    /// How many steps are done.
    private var done = 0
    private var lastTime = Instant.zero
    private var events: [Int] = []
    /// The steps met by events of the instant that is not over yet.
    private var met: [(step: Int, occurrence: Occurrence)] = []
    private var isFirstInstant = true
    private(set) var ruling = WordRuling.open
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
        ruling = .open
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
        if done == steps.count, case .open = ruling { ruling = .met(events) }
    }

    private mutating func settleLoosely(at time: Instant, _ conditions: [ConditionTracker]) {
        // Events keep their order; a state comes with everything that happened at its instant.
        var floor = Int.min
        while done < steps.count {
            if conditions[done].isLevel {
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
        for (step, condition) in conditions.enumerated() where condition.isLevel && condition.held {
            guard condition.rose || (isFirstInstant && step == 0) else { continue }
            met.append((step, condition.change))
        }
        met.sort { ($0.occurrence.order, $0.step) < ($1.occurrence.order, $1.step) }
        var index = 0
        while index < met.count, done < steps.count {
            // One event may meet several steps; it serves as the one whose turn it is.
            let order = met[index].occurrence.order
            let same = met[index...].prefix { $0.occurrence.order == order }
            index += same.count
            if let turn = same.first(where: { $0.step == done }) {
                advance(at: time, by: turn.occurrence.event)
            } else if let first = same.first {
                let text = conditions[first.step].text
                ruling = .broken(
                    Reason(
                        "\(text) happened at \(time), out of turn; expected \(conditions[done].text) next (\(place)), "
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
        guard let deadline else { return }
        fail(at: deadline, conditions, limit.within(interval))
    }

    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker]) {
        if !met.isEmpty { settle(at: time, conditions) }
        guard case .open = ruling else { return }
        switch closing {
        case .run where deadline != nil:
            ruling = .cut("the run ended at \(time), before \(conditions[done].text) was due \(limit.within(interval))")
        case .run(finished: false): ruling = .cut("the script did not finish")
        case .scope: fail(at: time, conditions, "before the scope closed at \(time)")
        case .run(finished: true): fail(at: time, conditions, "before the run ended at \(time)")
        }
    }

    private mutating func fail(at time: Instant, _ conditions: [ConditionTracker], _ due: String) {
        let (past, expected) = conditions[done].shortfall(from: lastTime, to: time)
        ruling = .broken(
            Reason(
                "\(past); expected \(expected.map { "\($0) " } ?? "")as \(place) \(due)",
                expectedBy: time,
                events: events,
                lastSeen: conditions[done].lastSeen
            )
        )
    }
}
