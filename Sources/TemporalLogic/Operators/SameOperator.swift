import SquallCore
import Trace

/// `same`: two observables are equal at every instant. With a bound, they may differ, but never for longer than the
/// bound.
struct SameOperator: TemporalOperator {
    let one: ObservableReference
    let other: ObservableReference

    static let spec = OperatorSpec(
        name: "same",
        form: "{ of: [OBSERVABLE, OBSERVABLE], within: 1s }",
        meaning: "Both observables are equal, or never differ for longer than the bound.",
        keys: [OperatorKey("of", .observablePair, .required, "The two observables.")],
        bound: .optional,
        atEnd: .lastInstant
    ) { arguments in
        guard let pair: [ObservableReference] = arguments["of"], pair.count == 2 else { return nil }
        return .same(pair[0], pair[1])
    }

    var reads: [Condition] { [.state(ObservablePredicate(one, .sameAs(other)))] }

    func problems(bound: TimeSpan?) -> [String] {
        one.isSeveral || other.isSeveral ? ["'same' compares two values; name keys instead of '[*]'"] : []
    }

    func monitor(_ limit: Limit) -> any OperatorMonitor { SameMonitor(limit, one, other) }

    func violations(for client: ClientID?) -> [Violation] {
        [one, other].map { $0.setting(to: "something else", for: client) }
    }
}

extension Formula {
    /// Creates a claim that two observables are equal at every instant. With a bound, they may differ, but never for
    /// longer than the bound.
    package static func same(_ one: ObservableReference, _ other: ObservableReference) -> Formula {
        Formula(SameOperator(one: one, other: other))
    }
}

/// Evaluates `same`, starting once both observables have been reported.
struct SameMonitor: OperatorMonitor {
    private let limit: Limit
    private let references: (ObservableReference, ObservableReference)
    private let names: (ObservedName, ObservedName)
    private var interval = Interval(start: .zero, order: -1)
    private var isShown = (false, false)
    private var areEqual = true
    /// The two values when they last differed, with long lists shortened.
    private var difference: (JSON, JSON) = (.null, .null)
    private var lastChange = -1
    private var differentSince: Instant?
    private(set) var status = OperatorStatus.open

    init(_ limit: Limit, _ one: ObservableReference, _ other: ObservableReference) {
        self.limit = limit
        references = (one, other)
        names = (one.resolved(for: limit.client), other.resolved(for: limit.client))
    }

    var deadline: Instant? { differentSince.flatMap { limit.latest(from: $0) } }

    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker]) {
        self.interval = interval
        differentSince = nil
        status = .open
    }

    var subscriptions: [EventSubscription] {
        [names.0, names.1].map { EventSubscription($0.name, of: .client($0.client)) }
    }

    mutating func observe(_ event: TraceEvent, in state: ObservedState, isInside: Bool) -> Bool {
        let isFirst = event.name == names.0.name && event.key == names.0.key && event.client == names.0.client
        let isSecond = event.name == names.1.name && event.key == names.1.key && event.client == names.1.client
        guard isFirst || isSecond else { return false }
        let values = (state[names.0], state[names.1])
        isShown = (values.0 != nil, values.1 != nil)
        areEqual = values.0 == values.1
        if !areEqual { difference = ((values.0 ?? .null).cut, (values.1 ?? .null).cut) }
        lastChange = event.index
        return true
    }

    private var isJudged: Bool { isShown.0 && isShown.1 }

    mutating func settle(at time: Instant, _ conditions: [ConditionTracker]) {
        guard isJudged, !areEqual else {
            differentSince = nil
            return
        }
        guard differentSince == nil else { return }
        differentSince = time
        if limit.bound == nil { fail(at: time, "the same throughout, \(limit.lasting(interval))") }
    }

    mutating func expire(_ conditions: [ConditionTracker]) {
        guard let deadline, let bound = limit.bound else { return }
        fail(at: deadline, "the same again within \(bound)\(limit.toleranceText)")
    }

    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker]) {
        guard case .open = status else { return }
        guard isJudged else {
            let missing = isShown.0 ? text.1 : text.0
            status = .vacuous("\(missing) was never reported")
            return
        }
        if let differentSince, closing != .scope {
            status = .cut("the run ended at \(time), with \(text.0) and \(text.1) different since \(differentSince)")
        } else if closing == .run(finished: false) {
            status = .cut(ScriptEnd.unfinished)
        } else {
            status = .met(lastChange >= 0 ? [lastChange] : [])
        }
    }

    private mutating func fail(at time: Instant, _ expected: String) {
        let (one, other) = (difference.0.readable, difference.1.readable)
        let since = differentSince ?? time
        let when = since == time ? "at \(time)" : "from \(since) to \(time)"
        status = .broken(
            Reason(
                "\(text.0) was \(one) and \(text.1) \(other) \(when); expected \(expected)",
                expectedBy: time,
                events: [interval.event, lastChange >= 0 ? lastChange : nil].compactMap(\.self),
                lastSeen: "\(text.0) \(one), \(text.1) \(other)"
            )
        )
    }

    private var text: (String, String) {
        (references.0.text(for: limit.client), references.1.text(for: limit.client))
    }
}
