import ScenarioModel
package import SquallCore
import TemporalLogic
package import Trace

/// The observables (reported values) and events of the clients in a run, for comparison with another client's.
package struct Behaviour: Sendable {
    /// The last value of each observable before the fault-free period (calm) that the run appends to its script.
    let ends: [ObservedName: JSON]
    /// The set of values that each observable had during the run, excluding observables whose values are lists.
    let shown: [ObservedName: Set<JSON>]
    /// The number of times that each client event occurred.
    let counts: [ObservedName: Int]
    /// For each client, the names, without keys, of the observables it reported and the events that occurred.
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

    /// Returns whether observables or events with this name are compared. Only observables and client events are.
    ///
    /// Measured values, metrics and times are excluded, because they always differ slightly between two runs.
    private static func isCompared(_ name: String) -> Bool {
        guard let entry = Registry.entry(named: name), entry.parity != .measured, entry.provenance != .injected,
            !name.hasPrefix("metrics.")
        else { return false }
        return entry.kind == .observable ? EndClass.of(name) != .times : name.hasPrefix("client.")
    }
}

/// A difference in behaviour between the tested client and the client it is compared with.
package struct BehaviourDifference: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The last values of an observable differ.
        case ends
        /// An observable took different sets of values in the two runs.
        case shows
        /// The clients made different numbers of connection attempts or requests, or sent different numbers of frames.
        case asks
        /// Some other event occurred a different number of times for each client.
        case does
    }

    package var kind: Kind
    package var name: ObservedName
    package var why: String

    /// Returns the differences between a run and the runs of another client.
    ///
    /// A value that varies between the other client's runs is ignored, because it depends on the seed rather than on
    /// the client.
    ///
    /// - Parameter areAlike: Whether both clients report all names. If not, only names that both have reported are
    ///   compared.
    package static func all(
        of tested: Behaviour,
        from baseline: BehaviourBaseline,
        areAlike: Bool
    ) -> [BehaviourDifference] {
        let comparison = BehaviourComparison(tested: tested, baseline: baseline, areAlike: areAlike)
        return comparison.ends + comparison.shows + comparison.counts
    }
}

private struct BehaviourComparison {
    let tested: Behaviour
    let baseline: BehaviourBaseline
    let areAlike: Bool

    private func isOffered(_ name: ObservedName) -> Bool {
        guard !areAlike else { return true }
        let bare = ObservedName(client: name.client, name: name.name, key: nil)
        return tested.names.contains(bare) && baseline.names.contains(bare)
    }

    /// Compares a property of the client's run with that of the other client's runs.
    ///
    /// A name is ignored unless its value is the same in all of the other client's runs. `difference` creates the
    /// difference from the name, the client's value and the other client's value.
    private func compare<Value: Hashable>(
        _ own: [ObservedName: Value],
        _ other: BehaviourBaseline.Table<Value>,
        _ difference: (ObservedName, Value?, Value?) -> BehaviourDifference
    ) -> [BehaviourDifference] {
        Set(own.keys).union(other.values.keys).subtracting(other.varying)
            .filter { own[$0] != other.values[$0] && isOffered($0) }
            .sorted { "\($0)" < "\($1)" }
            .map { difference($0, own[$0], other.values[$0]) }
    }

    var ends: [BehaviourDifference] {
        compare(tested.ends, baseline.ends) { name, found, expected in
            BehaviourDifference(
                kind: .ends,
                name: name,
                why: "\(name) ends as \(text(found)); the other client ends with \(text(expected))"
            )
        }
    }

    var shows: [BehaviourDifference] {
        compare(tested.shown, baseline.shown) { name, found, expected in
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
        let found = compare(tested.counts, baseline.counts) { name, found, expected in
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
    /// Creates a violation that reports a difference between two clients. `end` is the time at which the run ended,
    /// which is when the difference is found.
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
    /// The value of ``judge`` for a violation that reports a difference between two clients.
    package static let against = "against"
}
