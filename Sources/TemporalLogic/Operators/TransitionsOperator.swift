import SquallCore
import Trace

/// `transitions`: within the scope of the expectation, the observable takes on the listed values in this order.
/// Consecutive equal values count as one.
struct TransitionsOperator: TemporalOperator {
    let observable: ObservableReference
    let values: [ValuePredicate]
    /// Whether a value that is not in the list violates the claim.
    let isExhaustive: Bool

    static let spec = OperatorSpec(
        name: "transitions",
        form: "{ of: OBSERVABLE, are: [a, b], exhaustive: true, within: 20s }",
        meaning: "The observable takes on these values in this order.",
        keys: [
            OperatorKey("of", .observable, .required, "The observable."),
            OperatorKey("are", .values, .required, "The values, in the order expected."),
            OperatorKey("exhaustive", .flag, .optional, "No other values may occur."),
        ],
        bound: .optional
    ) { arguments in
        guard let observable: ObservableReference = arguments["of"], let values: [ValuePredicate] = arguments["are"]
        else { return nil }
        return .transitions(of: observable, are: values, exhaustive: arguments["exhaustive"] ?? false)
    }

    var reads: [Condition] { values.map { .state(ObservablePredicate(observable, $0)) } }

    func problems(bound: TimeSpan?) -> [String] {
        (values.isEmpty ? ["'transitions' needs at least one value"] : [])
            + (observable.isSeveral ? ["'transitions' follows one value; name a key instead of '[*]'"] : [])
    }

    func monitor(_ limit: Limit) -> any OperatorMonitor {
        TransitionsMonitor(limit, of: observable, are: values, isExhaustive: isExhaustive)
    }

    func violations(for client: ClientID?) -> [Violation] { [observable.setting(to: "something else", for: client)] }
}

extension Formula {
    /// Creates a claim that the observable takes these values in this order, and no others if `exhaustive` is true.
    package static func transitions(
        of observable: ObservableReference,
        are values: [ValuePredicate],
        exhaustive: Bool
    ) -> Formula {
        Formula(TransitionsOperator(observable: observable, values: values, isExhaustive: exhaustive))
    }
}

/// Evaluates `transitions`.
///
/// Every change counts, even one that is undone at the same instant. The value that the observable has when the
/// interval begins does not count. If the claim is exhaustive, no other value may occur until the interval ends.
struct TransitionsMonitor: OperatorMonitor {
    private let limit: Limit
    private let observable: ObservableReference
    private let name: ObservedName
    private let values: [ValuePredicate]
    private let isExhaustive: Bool
    private let viewpoint: PredicateSubject
    private var interval = Interval(start: .zero, order: -1)
    private var current: JSON?
    /// The values that the observable has taken on in the interval, in order.
    private var path: [JSON] = []
    /// The number of `values` that have occurred so far.
    private var done = 0
    private var events: [Int] = []
    private(set) var status = OperatorStatus.open
    private(set) var deadline: Instant?

    init(_ limit: Limit, of observable: ObservableReference, are values: [ValuePredicate], isExhaustive: Bool) {
        self.limit = limit
        self.observable = observable
        self.values = values
        self.isExhaustive = isExhaustive
        name = observable.resolved(for: limit.client)
        viewpoint = PredicateSubject(each: limit.client, owner: name.client)
    }

    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker]) {
        self.interval = interval
        path = []
        done = 0
        events = interval.event.map { [$0] } ?? []
        status = .open
        deadline = limit.latest(from: interval.start)
    }

    var subscriptions: [EventSubscription] { [EventSubscription(name.name, of: .client(name.client))] }

    mutating func observe(_ event: TraceEvent, in state: ObservedState, isInside: Bool) -> Bool {
        guard event.key == name.key, let value = state[name], value != current else { return false }
        current = value
        guard isInside, case .open = status else { return isInside }
        path.append(value)
        events.append(event.index)
        if done < values.count, values[done].holds(for: value, seenBy: viewpoint, in: state) {
            done += 1
            if !isExhaustive, done == values.count { status = .met(events) }
        } else if isExhaustive {
            let expected = done < values.count ? values[done].describe(for: limit.client) : "no further value"
            fail("\(text) went \(shownPath) by \(event.time); expected \(expected) as value \(path.count)")
        }
        return true
    }

    mutating func settle(at time: Instant, _ conditions: [ConditionTracker]) {}

    mutating func expire(_ conditions: [ConditionTracker]) {
        guard let deadline else { return }
        conclude(at: deadline, limit.within(interval))
    }

    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker]) {
        guard case .open = status else { return }
        switch closing {
        case .run where deadline != nil: status = limit.cutShort(interval, at: time)
        case .run(finished: false): status = .cut(ScriptEnd.unfinished)
        case .run(finished: true): conclude(at: time, "before the run ended at \(time)")
        case .scope: conclude(at: time, "before the scope closed at \(time)")
        }
    }

    private mutating func conclude(at time: Instant, _ due: String) {
        if done == values.count {
            status = .met(events)
        } else if current == nil {
            status = .vacuous("\(text) was never reported")
        } else {
            let expected = values[done].describe(for: limit.client)
            fail("\(text) went \(shownPath) by \(time); expected \(expected) as value \(done + 1) \(due)", by: time)
        }
    }

    private mutating func fail(_ what: String, by time: Instant? = nil) {
        let list = values.map { $0.describe(for: limit.client) }.joined(separator: ", ")
        let kind = isExhaustive ? "exactly" : "among others"
        status = .broken(
            Reason(
                "\(what) (\(kind) \(list))",
                expectedBy: time,
                events: events,
                lastSeen: current.map { "\(text) \($0.readable)" }
            )
        )
    }

    private var text: String { observable.text(for: limit.client) }

    private var shownPath: String {
        path.isEmpty ? "nowhere" : path.map(\.readable).joined(separator: ", ")
    }
}
