import SquallCore
import Trace

/// Observations that would violate a claim if a run contained them.
struct Violation {
    var observations: [Observation]
    var client: ClientID?
}

extension ObservableReference {
    /// Returns a violation that sets the observable to this value.
    func setting(to value: JSON, for client: ClientID?) -> Violation {
        var name = resolved(for: client)
        if isSeveral { name.key = "something-else" }
        return Violation(observations: [.set(name.name, key: name.key, to: value)], client: name.client)
    }
}

extension StateCondition {
    /// Returns violations, each of which sets one observable to a value that its predicate rejects.
    func violations(for client: ClientID?) -> [Violation] {
        levels.flatMap { level in
            level.predicate.counterexamples.prefix(2).map { level.observable.setting(to: $0, for: client) }
        }
    }
}

extension Condition {
    /// The maximum number of occurrences that ``examples(_:for:)`` constructs.
    static let maximumExamples = 200

    /// Returns observations that cause the condition to be met `times` times; empty if constructing them would require
    /// the state of a run.
    func examples(_ times: Int, for client: ClientID?) -> [Violation] {
        let owner = event.map { $0.client } ?? state.levels.first?.observable.client ?? .any
        var met: [Observation] = []
        var unmet: [Observation] = []
        for level in state.levels {
            guard let value = level.predicate.example, let other = level.predicate.counterexamples.first else {
                return []
            }
            met += level.observable.setting(to: value, for: client).observations
            unmet += level.observable.setting(to: other, for: client).observations
        }
        guard let event else {
            let once = times == 1 ? met : unmet + met
            return [
                Violation(observations: (0..<times).flatMap { _ in once }, client: owner.resolved(for: client))
            ]
        }
        var members: [JSONMember] = []
        for field in event.fields {
            guard let value = field.predicate.example else { return [] }
            members.append(JSONMember(field.name, value))
        }
        let happened = Observation.happened(event.name, key: event.key, .object(members), by: .observed)
        let count = min(max(times, event.ordinal ?? 1), Self.maximumExamples)
        // A state is evaluated after the last event of its instant, so it is set before the event and not changed
        // afterwards.
        let observations = met + (0..<count).map { _ in happened }
        return [Violation(observations: observations, client: owner.resolved(for: client))]
    }
}
