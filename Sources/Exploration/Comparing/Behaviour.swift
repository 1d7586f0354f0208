import ScenarioModel
package import SquallCore
import TemporalLogic
package import Trace

/// What the clients of one run have shown and done, as far as it can be compared with another client.
package struct Behaviour: Sendable {
    /// The last value of each observable before the run's own calm.
    let ends: [ObservedName: JSON]
    /// The values that each observable has had; lists are not included.
    let shown: [ObservedName: Set<JSON>]
    /// How often each event of a client has happened.
    let counts: [ObservedName: Int]
    /// The observables and events of each client that have occurred, without keys.
    let names: Set<ObservedName>

    package init(_ recording: Recording) {
        var shown: [ObservedName: Set<JSON>] = [:]
        var counts: [ObservedName: Int] = [:]
        var names: Set<ObservedName> = []
        for event in recording.events {
            if event.name == EndState.calmBegan { break }
            guard let client = event.client, Self.isCompared(event.name) else { continue }
            let name = ObservedName(client: client, name: event.name, key: nil)
            names.insert(name)
            switch event.observation.change {
            case .happened: counts[name, default: 0] += 1
            case .set(let value):
                let keyed = ObservedName(client: client, name: event.name, key: event.key)
                if value.arrayValue == nil { shown[keyed, default: []].insert(value) }
            case .inserted, .removed, .replaced: break
            }
        }
        ends = EndState(recording).values.filter { Self.isCompared($0.key.name) }
        (self.shown, self.counts, self.names) = (shown, counts, names)
    }

    /// Whether a name is part of the comparison: an observable, or an event of the client.
    ///
    /// Measured values, metrics and times differ between any two runs that are not identical to the nanosecond.
    private static func isCompared(_ name: String) -> Bool {
        guard let entry = Registry.entry(named: name), entry.parity != .measured, entry.provenance != .injected,
            !name.hasPrefix("metrics.")
        else { return false }
        return entry.kind == .observable ? EndClass.of(name) != .times : name.hasPrefix("client.")
    }
}

/// Something that a client shows or does differently from the client it is compared with.
package struct BehaviourDifference: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The last value of an observable.
        case ends
        /// The values that an observable has had.
        case shows
        /// How often the client connects and sends frames and requests.
        case asks
        /// How often anything else happens to the client.
        case does
    }

    package var kind: Kind
    package var name: ObservedName
    package var why: String

    /// The differences of a run from the runs of another client, which have other seeds: where they differ among
    /// themselves, chance decides and not the client.
    ///
    /// - Parameters:
    ///   - others: At least one.
    ///   - areAlike: Whether both clients show everything. Otherwise only names that both have shown are compared.
    package static func all(of tested: Behaviour, from others: [Behaviour], areAlike: Bool) -> [BehaviourDifference] {
        let comparison = BehaviourComparison(tested: tested, others: others, areAlike: areAlike)
        return comparison.ends + comparison.shows + comparison.counts
    }
}

private struct BehaviourComparison {
    let tested: Behaviour
    let others: [Behaviour]
    let areAlike: Bool

    private func isOffered(_ name: ObservedName) -> Bool {
        guard !areAlike else { return true }
        let bare = ObservedName(client: name.client, name: name.name, key: nil)
        return tested.names.contains(bare) && others.allSatisfy { $0.names.contains(bare) }
    }

    /// Compares one table across all runs, for the entries on which the others agree.
    private func compare<Value: Hashable>(
        _ table: KeyPath<Behaviour, [ObservedName: Value]>,
        _ difference: (ObservedName, Value?, Value?) -> BehaviourDifference?
    ) -> [BehaviourDifference] {
        guard let first = others.first?[keyPath: table] else { return [] }
        let own = tested[keyPath: table]
        let names = Set(own.keys).union(first.keys).filter(isOffered).sorted { "\($0)" < "\($1)" }
        return names.compactMap { name in
            let expected = first[name]
            guard own[name] != expected, others.allSatisfy({ $0[keyPath: table][name] == expected }) else { return nil }
            return difference(name, own[name], expected)
        }
    }

    var ends: [BehaviourDifference] {
        compare(\.ends) { name, found, expected in
            BehaviourDifference(
                kind: .ends,
                name: name,
                why: "\(name) ends as \(text(found)); the other client ends with \(text(expected))"
            )
        }
    }

    var shows: [BehaviourDifference] {
        compare(\.shown) { name, found, expected in
            let (found, expected) = (found ?? [], expected ?? [])
            let (more, less) = (found.subtracting(expected), expected.subtracting(found))
            let parts = [
                more.isEmpty ? nil : "shows \(text(more)), which the other client does not",
                less.isEmpty ? nil : "never shows \(text(less)), which the other client does",
            ]
            let why = "\(name) \(parts.compactMap(\.self).joined(separator: ", and "))"
            return BehaviourDifference(kind: .shows, name: name, why: why)
        }
    }

    var counts: [BehaviourDifference] {
        let found = compare(\.counts) { name, found, expected in
            BehaviourDifference(
                kind: Self.isRequest(name.name) ? .asks : .does,
                name: name,
                why: "\(name) happens \(times(found ?? 0)); with the other client \(times(expected ?? 0))"
            )
        }
        return found.filter { $0.kind == .asks } + found.filter { $0.kind == .does }
    }

    private static func isRequest(_ name: String) -> Bool {
        ["client.sent.", "client.requested.", "client.attempt.began"].contains { name.hasPrefix($0) }
    }

    private func times(_ count: Int) -> String {
        switch count {
        case 0: "never"
        case 1: "once"
        default: "\(count) times"
        }
    }

    private func text(_ value: JSON?) -> String { value.map(\.readable) ?? "not shown" }

    private func text(_ values: Set<JSON>) -> String {
        let texts = values.map { text($0) }.sorted()
        return texts.prefix(4).joined(separator: ", ") + (texts.count > 4 ? " and \(texts.count - 4) more" : "")
    }
}

extension Violation {
    /// The violation that a client differs from the one it is compared with.
    package init(_ difference: BehaviourDifference, at end: Instant) {
        self.init(
            cause: Cause(
                judge: Cause.against,
                sentence: "\(difference.kind.rawValue) \(difference.name.name)",
                state: ""
            ),
            faults: [],
            why: difference.why,
            story: [],
            time: end
        )
    }
}

extension Cause {
    /// The judge of what two clients do differently.
    package static let against = "against"
}
