import SquallCore
import Trace

extension Prover {
    /// What the expectation forbids, added after events that it read, and at the beginning, the middle and the end.
    func insertions(after order: [Int], in recording: Recording) -> [Mutation] {
        let offences = expectation.formula.offences(for: expectation.clients.first)
        guard !offences.isEmpty else { return [] }
        let read = order.prefix(10).filter(recording.events.indices.contains).map { recording.events[$0].time }
        let half = Instant(nanoseconds: recording.end.nanoseconds / 2)
        var moments: [Instant] = []
        for moment in read + [half, recording.end, .zero] where !moments.contains(moment) { moments.append(moment) }
        return moments.flatMap { moment in
            offences.map { .insert($0.observations, client: $0.client, at: moment) }
        }
    }
}

/// More observations are not made up for one offence.
private let mostExamples = 200

/// Something that a formula forbids, as observations that would show it.
private struct ForbiddenObservation {
    var observations: [Observation]
    var client: ClientID?
}

extension Formula {
    fileprivate func offences(for client: ClientID?) -> [ForbiddenObservation] {
        switch self {
        case .never(let condition): return condition.examples(1, for: client)
        case .count(let condition, let bound, _):
            guard let most = bound.most, most < mostExamples else { return [] }
            return condition.examples(most + 1, for: client)
        case .always(let state), .until(let state, _):
            return state.levels.flatMap { level in
                level.predicate.counterexamples.prefix(2).compactMap { value in
                    level.observable.setting(to: value, for: client)
                }
            }
        case .same(let one, let other):
            return [one, other].compactMap { $0.setting(to: "something else", for: client) }
        case .transitions(let observable, _, _):
            return [observable.setting(to: "something else", for: client)].compactMap(\.self)
        case .delivered(let delivery): return delivery.offences(for: client)
        case .eventually, .leadsTo, .inOrder: return []
        }
    }
}

extension Delivery {
    /// A message that is lost, one that is stored twice, one that nobody sent, and one that all others stand behind.
    fileprivate func offences(for client: ClientID?) -> [ForbiddenObservation] {
        let key = "something-else"
        let conversation = conversation ?? key
        func stored(_ sequence: Int64) -> Observation {
            let fields: JSON = [
                "conversation": .string(conversation), "sequence": .integer(sequence), "origin": "post",
            ]
            return .happened("server.stored", key: key, fields, by: .observed)
        }
        let list = "conversation.messages"
        let shown = Observation(list, key: conversation, .inserted(at: 0, .string(key)), by: .reported)
        return [[stored(.max)], [stored(.max), stored(.max), shown], [shown], [stored(.max), shown]].map {
            ForbiddenObservation(observations: $0, client: self.client.resolved(for: client))
        }
    }
}

extension ObservableReference {
    fileprivate func setting(to value: JSON, for client: ClientID?) -> ForbiddenObservation? {
        var name = resolved(for: client)
        if key == .any || key == .every { name.key = "something-else" }
        return ForbiddenObservation(observations: [.set(name.name, key: name.key, to: value)], client: name.client)
    }
}

extension Condition {
    /// Observations that meet the condition so many times, where they can be made up.
    fileprivate func examples(_ times: Int, for client: ClientID?) -> [ForbiddenObservation] {
        let who = event.map { $0.client } ?? state.levels.first?.observable.client ?? .any
        var met: [Observation] = []
        var unmet: [Observation] = []
        for level in state.levels {
            guard let value = level.predicate.example, let set = level.observable.setting(to: value, for: client),
                let other = level.predicate.counterexamples.first,
                let reset = level.observable.setting(to: other, for: client)
            else { return [] }
            met += set.observations
            unmet += reset.observations
        }
        guard let event else {
            let once = times == 1 ? met : unmet + met
            return [
                ForbiddenObservation(observations: (0..<times).flatMap { _ in once }, client: who.resolved(for: client))
            ]
        }
        var members: [JSONMember] = []
        for field in event.fields {
            guard let value = field.predicate.example else { return [] }
            members.append(JSONMember(field.name, value))
        }
        let happened = Observation.happened(event.name, key: event.key, .object(members), by: .observed)
        // A state is judged after the last event of its instant, so that it has to hold where the event is.
        let count = max(times, event.ordinal ?? 1)
        let observations = met + (0..<min(count, mostExamples)).map { _ in happened }
        return [ForbiddenObservation(observations: observations, client: who.resolved(for: client))]
    }
}
