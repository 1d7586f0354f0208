import SquallCore

/// `count`: how often a condition is met in the interval, or in every stretch of a length within it.
///
/// A stretch has both its ends: of two events exactly as far apart as it is long, both are in it. Stretches that reach
/// beyond the interval are not judged; where all do, a smallest count has nothing to say.
struct CountWord: Word {
    private let limit: Limit
    private let count: CountBound
    /// The stretch, and how much shorter or longer tolerance makes it for each side of the bound.
    private let window: TimeSpan?
    private let mostWindow: TimeSpan
    private let leastWindow: TimeSpan
    private var interval = Interval(start: .zero, order: -1)
    private var total = 0
    private var events: [Int] = []
    /// The last times it was met, as many as the bound needs; for a smallest count, the interval's start is the first.
    private var recent: [Instant] = []
    private(set) var ruling = WordRuling.open
    /// When the counting ends.
    private var end: Instant?

    init(_ limit: Limit, _ count: CountBound, inAny window: TimeSpan?) {
        self.limit = limit
        self.count = count
        self.window = window
        mostWindow = max((window ?? .zero) - limit.tolerance, .zero)
        leastWindow = (window ?? .zero) + limit.tolerance
    }

    var openUntil: Instant? { end }

    var deadline: Instant? {
        guard let latestNext else { return end }
        // The stretch from the start must have its count by its end; one from an event on has that event at its own end.
        let missed = total < count.least ? latestNext : latestNext + TimeSpan(nanoseconds: 1)
        return min(missed, end ?? .never)
    }

    /// When it has to be met next, so that every stretch has its smallest count.
    private var latestNext: Instant? {
        guard window != nil, count.least > 0 else { return nil }
        return recent.suffix(count.least).first.map { $0 + leastWindow }
    }

    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker]) {
        self.interval = interval
        total = 0
        events = []
        recent = count.least > 0 ? [interval.start] : []
        ruling = .open
        end = count.kind == .atMost ? limit.shortest(from: interval.start) : limit.latest(from: interval.start)
    }

    mutating func happened(_ occurrence: Occurrence, of condition: Int, _ conditions: [ConditionTracker]) {
        add(occurrence.time, occurrence.event, conditions)
    }

    mutating func settle(at time: Instant, _ conditions: [ConditionTracker]) {
        guard conditions[0].isLevel, conditions[0].rose else { return }
        add(time, conditions[0].change.event, conditions)
    }

    private mutating func add(_ time: Instant, _ event: Int, _ conditions: [ConditionTracker]) {
        guard case .open = ruling else { return }
        if let latestNext, time > latestNext { return expire(conditions) }
        total += 1
        if event >= 0 { events.append(event) }
        guard let window else {
            if let most = count.most, total > most {
                fail("\(conditions[0].text) happened \(times(total)) by \(time)", conditions)
            } else if count.kind == .atLeast, total >= count.number {
                ruling = .met(events)
            }
            return
        }
        recent.append(time)
        if let most = count.most, recent.count > most {
            let first = recent[recent.count - 1 - most]
            let isStart = total == most && count.least > 0
            if !isStart, time - first <= mostWindow {
                fail("\(conditions[0].text) happened \(times(most + 1)) from \(first) to \(time)", conditions, window)
            }
        }
        let needed = max(count.least, min(count.most ?? 0, .max - 1) + 1)
        if recent.count > needed { recent.removeFirst(recent.count - needed) }
    }

    mutating func expire(_ conditions: [ConditionTracker]) {
        if let latestNext, latestNext <= end ?? .never, let window {
            let start = latestNext - leastWindow
            let found = recent.count { $0 > start }
            fail("\(conditions[0].text) happened \(times(found)) from \(start) to \(latestNext)", conditions, window)
        } else {
            conclude(at: end ?? .never, conditions)
        }
    }

    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker]) {
        guard case .open = ruling else { return }
        switch closing {
        case .run where end != nil:
            ruling = .cut("the run ended at \(time), and the counting was to go on \(limit.lasting(interval))")
        case .run(finished: false): ruling = .cut("the script did not finish")
        case .run(finished: true), .scope: conclude(at: time, conditions)
        }
    }

    private mutating func conclude(at time: Instant, _ conditions: [ConditionTracker]) {
        if let window, count.least > 0, interval.start + window > time {
            ruling = .vacuous("no stretch of \(window) was over by \(time), \(limit.lasting(interval))")
        } else if window != nil || count.allows(total) {
            ruling = .met(events)
        } else {
            fail("\(conditions[0].text) happened \(times(total)) by \(time)", conditions)
        }
    }

    private mutating func fail(_ what: String, _ conditions: [ConditionTracker], _ window: TimeSpan? = nil) {
        let stretch = window.map { " in any \($0)\(limit.forgiven)" } ?? ""
        let opening = interval.event.map { [$0] } ?? []
        ruling = .broken(
            Reason(
                "\(what); expected \(count.words)\(stretch), \(limit.lasting(interval))",
                events: opening + events,
                lastSeen: conditions[0].lastSeen
            )
        )
    }

    private func times(_ number: Int) -> String {
        switch number {
        case 0: "not once"
        case 1: "once"
        default: "\(number) times"
        }
    }
}
