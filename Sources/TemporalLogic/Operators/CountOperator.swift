package import SquallCore

/// `count`: a condition is met a given number of times in the scope, or in every window of a given length within it.
struct CountOperator: TemporalOperator {
    let condition: Condition
    let bound: CountBound
    /// The length of the windows; nil if occurrences are counted over the whole scope.
    let window: TimeSpan?

    static let spec = OperatorSpec(
        name: "count",
        form: "{ of: CONDITION, exactly: 1, in_any: 100ms, within: 20s }",
        meaning: "The condition is met a given number of times.",
        keys: [
            OperatorKey("of", .condition, .required, "The condition that is counted."),
            OperatorKey("exactly", .number(.exactly), .alternative, "The condition is met exactly this many times."),
            OperatorKey("at_least", .number(.atLeast), .alternative, "The condition is met at least this many times."),
            OperatorKey("at_most", .number(.atMost), .alternative, "The condition is met at most this many times."),
            OperatorKey("in_any", .duration, .optional, "Counts within every window of this length."),
        ],
        bound: .optional
    ) { arguments in
        guard let condition: Condition = arguments["of"],
            let bound: CountBound = arguments["exactly"] ?? arguments["at_least"] ?? arguments["at_most"]
        else { return nil }
        return .count(condition, bound, inAny: arguments["in_any"])
    }

    var conditions: [Condition] { [condition] }
    var checkedQuantities: [Quantity] { [.integer(Int64(bound.number))] + (window.map { [.duration($0)] } ?? []) }

    func problems(bound: TimeSpan?) -> [String] {
        window.map { $0 <= .zero } == true ? ["'in_any' must be longer than 0"] : []
    }

    func monitor(_ limit: Limit) -> any OperatorMonitor { CountMonitor(limit, bound, inAny: window) }

    func violations(for client: ClientID?) -> [Violation] {
        guard let most = bound.most, most < Condition.maximumExamples else { return [] }
        return condition.examples(most + 1, for: client)
    }
}

extension Formula {
    /// Creates a claim that the number of times the condition is met is within `bound`, over the whole scope or, if
    /// `window` is not nil, in every window of that length in the scope.
    ///
    /// A state counts as met at the instant at which it begins to hold.
    package static func count(_ condition: Condition, _ bound: CountBound, inAny window: TimeSpan?) -> Formula {
        Formula(CountOperator(condition: condition, bound: bound, window: window))
    }
}

/// Evaluates `count`.
///
/// A window includes both of its endpoints, so two events that are exactly one window length apart are in the same
/// window. Windows that extend beyond the interval are ignored. If all windows do, a claim with a minimum count is
/// vacuous.
struct CountMonitor: OperatorMonitor {
    private let limit: Limit
    private let count: CountBound
    /// The specified window length, which the tolerance shortens for a maximum count and extends for a minimum count.
    private let window: TimeSpan?
    private let maximumWindow: TimeSpan
    private let leastWindow: TimeSpan
    private var interval = Interval(start: .zero, order: -1)
    private var total = 0
    private var events: [Int] = []
    /// The most recent instants at which the condition was met; only as many are kept as are needed to check the bound.
    ///
    /// If there is a minimum count, the array initially contains the interval's start.
    private var recent: [Instant] = []
    private(set) var status = OperatorStatus.open
    /// The instant at which counting ends; nil if it is the end of the interval.
    private var end: Instant?

    init(_ limit: Limit, _ count: CountBound, inAny window: TimeSpan?) {
        self.limit = limit
        self.count = count
        self.window = window
        maximumWindow = max((window ?? .zero) - limit.tolerance, .zero)
        leastWindow = (window ?? .zero) + limit.tolerance
    }

    var runMustLastUntil: Instant? { end }

    var deadline: Instant? {
        guard let latestNext else { return end }
        // The first window begins with the interval and must contain enough occurrences by its end. Each later window
        // begins one nanosecond after an occurrence, so it also ends one nanosecond later.
        let missed = total < count.least ? latestNext : latestNext + TimeSpan(nanoseconds: 1)
        return min(missed, end ?? .never)
    }

    /// The instant by which the condition must be met again, so that every window has the minimum count; nil if no
    /// window is counted or there is no minimum.
    private var latestNext: Instant? {
        guard window != nil, count.least > 0 else { return nil }
        return recent.suffix(count.least).first.map { $0 + leastWindow }
    }

    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker]) {
        self.interval = interval
        total = 0
        events = []
        recent = count.least > 0 ? [interval.start] : []
        status = .open
        end = count.kind == .atMost ? limit.shortest(from: interval.start) : limit.latest(from: interval.start)
    }

    mutating func happened(_ occurrence: Occurrence, of condition: Int, _ conditions: [ConditionTracker]) {
        add(occurrence.time, occurrence.event, conditions)
    }

    mutating func settle(at time: Instant, _ conditions: [ConditionTracker]) {
        guard conditions[0].isStateOnly, conditions[0].beganToHold else { return }
        add(time, conditions[0].change.event, conditions)
    }

    private mutating func add(_ time: Instant, _ event: Int, _ conditions: [ConditionTracker]) {
        guard case .open = status else { return }
        if let latestNext, time > latestNext { return expire(conditions) }
        total += 1
        if event >= 0 { events.append(event) }
        guard let window else {
            if let most = count.most, total > most {
                fail("\(conditions[0].text) \(happened(total)) by \(time)", conditions)
            } else if count.kind == .atLeast, total >= count.number {
                status = .met(events)
            }
            return
        }
        recent.append(time)
        if let most = count.most, recent.count > most {
            let first = recent[recent.count - 1 - most]
            let isStart = total == most && count.least > 0
            if !isStart, time - first <= maximumWindow {
                fail("\(conditions[0].text) \(happened(most + 1)) from \(first) to \(time)", conditions, window)
            }
        }
        let needed = max(count.least, min(count.most ?? 0, .max - 1) + 1)
        if recent.count > needed { recent.removeFirst(recent.count - needed) }
    }

    mutating func expire(_ conditions: [ConditionTracker]) {
        if let latestNext, latestNext <= end ?? .never, let window {
            let start = latestNext - leastWindow
            let found = recent.count { $0 > start }
            fail("\(conditions[0].text) \(happened(found)) from \(start) to \(latestNext)", conditions, window)
        } else {
            conclude(at: end ?? .never, conditions)
        }
    }

    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker]) {
        guard case .open = status else { return }
        switch closing {
        case .run where end != nil: status = limit.cutShort(interval, at: time)
        case .run(finished: false): status = .cut(ScriptEnd.unfinished)
        case .run(finished: true), .scope: conclude(at: time, conditions)
        }
    }

    private mutating func conclude(at time: Instant, _ conditions: [ConditionTracker]) {
        if let window, count.least > 0, interval.start + window > time {
            status = .vacuous("no window of \(window) ended by \(time), \(limit.lasting(interval))")
        } else if window != nil || count.allows(total) {
            status = .met(events)
        } else {
            fail("\(conditions[0].text) \(happened(total)) by \(time)", conditions)
        }
    }

    private mutating func fail(_ what: String, _ conditions: [ConditionTracker], _ window: TimeSpan? = nil) {
        let windows = window.map { " in any \($0)\(limit.toleranceText)" } ?? ""
        let opening = interval.event.map { [$0] } ?? []
        status = .broken(
            Reason(
                "\(what); expected \(count.words)\(windows), \(limit.lasting(interval))",
                events: opening + events,
                lastSeen: conditions[0].lastSeen
            )
        )
    }

    private func happened(_ number: Int) -> String {
        switch number {
        case 0: "did not happen"
        case 1: "happened once"
        default: "happened \(number) times"
        }
    }
}
