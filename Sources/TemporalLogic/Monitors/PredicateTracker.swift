import SquallCore
import Trace

/// Tracks one of a condition's predicates during a run: whether it holds, and the last value reported for its
/// observable.
struct PredicateTracker: Sendable {
    /// A reported value, with long lists shortened for messages.
    struct ShownValue: Sendable {
        var key: String?
        var value: JSON
        var since: Instant
        /// The index of the event that reported the value.
        var event: Int
    }

    /// The maximum number of past values that are stored for a failure message.
    private static let remembered = 64

    let level: ObservablePredicate
    private let viewpoint: PredicateSubject
    private let name: ObservedName
    private let compared: [ObservedName]
    private let lookedUp: [String]
    private let hasDependencies: Bool
    /// Whether the tracker receives only events that match its observable's name and client, so that it can skip the
    /// check.
    private let isGivenOwn: Bool

    /// Whether the predicate holds after the last event observed.
    private(set) var holds: Bool
    /// Whether the observable has been reported.
    private(set) var isReported = false
    private(set) var latest: ShownValue?
    /// The last values that were reported before ``latest``, in order.
    private var past: [ShownValue] = []

    /// The keys observed so far by a predicate with `[*]`, in order. `satisfied` stores for each key whether its value
    /// satisfies the predicate.
    private var keys: [String] = []
    private var satisfied: [String: Bool] = [:]

    init(_ level: ObservablePredicate, for client: ClientID?, isAlone: Bool) {
        self.level = level
        name = level.observable.resolved(for: client)
        viewpoint = PredicateSubject(each: client, owner: name.client)
        compared = level.predicate.compared.map { $0.resolved(for: client) }
        lookedUp = level.predicate.lookedUp
        hasDependencies = !compared.isEmpty || !lookedUp.isEmpty
        isGivenOwn = isAlone && !hasDependencies
        switch level.observable.key {
        case .none, .one: holds = level.predicate.holds(for: nil, seenBy: viewpoint, in: ObservedState())
        case .any, .every: holds = false
        }
    }

    /// The events that the tracker reads.
    var subscriptions: [EventSubscription] {
        ([name.name] + lookedUp).map { EventSubscription($0, of: .client(name.client)) }
            + compared.map { EventSubscription($0.name, of: .client($0.client)) }
    }

    /// Observes a change; `state` is the state after it. Returns false if the change does not affect the predicate.
    mutating func observe(_ event: TraceEvent, in state: ObservedState) -> Bool {
        if case .happened = event.observation.change { return false }
        let isOwn = isGivenOwn || (event.client == name.client && event.name == name.name)
        switch level.observable.key {
        case .none, .one:
            guard (isOwn && event.key == name.key) || (hasDependencies && isDependency(event)) else { return false }
            let value: JSON?
            if isOwn, case .set(let new) = event.observation.change { value = new } else { value = state[name] }
            holds = level.predicate.holds(for: value, seenBy: viewpoint, in: state)
            if let value { see(value, key: nil, at: event) }
        case .any, .every:
            guard isOwn || (hasDependencies && isDependency(event)) else { return false }
            if isOwn, let key = event.key {
                judge(key, at: event, in: state)
            } else {
                for key in keys { judge(key, at: event, in: state) }
            }
            let count = keys.count { satisfied[$0] == true }
            holds = level.observable.key == .any ? count > 0 : !keys.isEmpty && count == keys.count
        }
        return true
    }

    private func isDependency(_ event: TraceEvent) -> Bool {
        if event.client == name.client, lookedUp.contains(event.name) { return true }
        return compared.contains { $0.name == event.name && $0.client == event.client && $0.key == event.key }
    }

    private mutating func judge(_ key: String, at event: TraceEvent, in state: ObservedState) {
        let named = ObservedName(client: name.client, name: name.name, key: key)
        guard let value = state[named] else { return }
        let isMet = level.predicate.holds(for: value, seenBy: viewpoint, in: state)
        if satisfied.updateValue(isMet, forKey: key) == nil { keys.append(key) }
        // Failure messages show a value that decides the result: for `any`, a value that satisfies the predicate; for
        // `every`, a value that violates it.
        let isWanted = isMet == (level.observable.key == .any)
        if isWanted || latest == nil || latest?.key == key { see(value, key: key, at: event) }
    }

    private mutating func see(_ value: JSON, key: String?, at event: TraceEvent) {
        isReported = true
        let shown = value.cut
        if let latest, latest.key == key, latest.value == shown { return }
        if let latest {
            if past.count == Self.remembered { past.removeFirst() }
            past.append(latest)
        }
        latest = ShownValue(key: key, value: shown, since: event.time, event: event.index)
    }
}

extension PredicateTracker {
    /// The observable's name; for `[*]`, it includes the key of the last value reported.
    var subject: String {
        guard let key = latest?.key else { return level.observable.text(for: viewpoint.each) }
        return ObservedName(client: name.client, name: name.name, key: key).description
    }

    /// Describes the observable's last value between `start` and `end` for a failure message: `toast.text was null from
    /// 12.400 to 12.900`, or `toast.text was never reported`.
    func past(from start: Instant, to end: Instant) -> String {
        guard let latest else { return "\(subject) was never reported" }
        let since = max(latest.since, start)
        if since >= end { return "\(subject) was \(text(of: latest)) at \(end)" }
        return "\(subject) was \(text(of: latest)) from \(since) to \(end)"
    }

    var lastSeen: String {
        guard let latest else { return "\(subject) never reported" }
        return "\(subject) \(text(of: latest)) since \(latest.since)"
    }

    var expected: String { level.predicate.describe(for: viewpoint.each) }

    /// Returns the value that the observable had at `start`, followed by the values that were reported later.
    ///
    /// The value nearest to the expected one (the first, if there is a tie) is marked as nearest, unless it is null.
    func seen(from start: Instant) -> [ObservedValue] {
        guard let latest else { return [] }
        let all = past + [latest]
        let first = all.lastIndex { $0.since <= start } ?? 0
        let shown = all[first...]
        let distances = shown.map { $0.value.isNull ? nil : level.predicate.distance(of: $0.value) }
        let nearest = distances.compactMap(\.self).min().flatMap { least in distances.firstIndex { $0 == least } }
        return shown.enumerated().map { index, value in
            ObservedValue(
                subject: value.key.map { ObservedName(client: name.client, name: name.name, key: $0).description }
                    ?? level.observable.text(for: viewpoint.each),
                text: text(of: value),
                since: max(value.since, start),
                event: value.event,
                isNearest: index == nearest
            )
        }
    }

    private func text(of latest: ShownValue) -> String {
        if level.predicate.isAboutTime, let nanoseconds = latest.value.intValue {
            return TimeSpan(nanoseconds: nanoseconds).description
        }
        return latest.value.readable
    }
}

extension JSON {
    /// The value itself or, for a list, its first items, one more than a message shows.
    ///
    /// Keeping the whole list would force the next edit to copy it (copy-on-write).
    var cut: JSON {
        guard case .array(let items) = self else { return self }
        return .array(Array(items.prefix(JSON.shownItems + 1)))
    }
}
