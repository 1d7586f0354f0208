package import SquallCore
import Trace

/// The behaviour that all of a client's runs of one scenario have in common. The runs differ only in their seeds, so
/// whatever differs between them depends on chance.
package struct BehaviourBaseline: Hashable, Sendable {
    /// A property of the runs, by name.
    struct Table<Value: Hashable & Sendable>: Hashable, Sendable {
        /// The values that are the same in all runs.
        var values: [ObservedName: Value] = [:]
        /// The names whose values are not the same in all runs.
        var varying: Set<ObservedName> = []

        init() {}

        init(_ runs: [[ObservedName: Value]]) {
            for name in Set(runs.flatMap(\.keys)) {
                let value = runs[0][name]
                if runs.allSatisfy({ $0[name] == value }) { values[name] = value } else { varying.insert(name) }
            }
        }
    }

    var ends = Table<JSON>()
    var shown = Table<Set<JSON>>()
    var counts = Table<Int>()
    /// The names, without keys, that occur in all runs.
    var names: Set<ObservedName> = []

    init() {}

    /// Creates a baseline from at least one run.
    package init(_ runs: [Behaviour]) {
        ends = Table(runs.map(\.ends))
        shown = Table(runs.map(\.shown))
        counts = Table(runs.map(\.counts))
        names = runs.dropFirst().reduce(runs.first?.names ?? []) { $0.intersection($1.names) }
    }
}

// MARK: - Saving

extension BehaviourBaseline {
    /// The baseline as JSON: the same baseline always has the same bytes.
    package var json: JSON {
        .object([
            JSONMember("ends", ends.json { $0 }),
            JSONMember("shown", shown.json { .array($0.sorted { "\($0)" < "\($1)" }) }),
            JSONMember("counts", counts.json { .integer(Int64($0)) }),
            JSONMember("names", .array(names.sorted { "\($0)" < "\($1)" }.map(\.json))),
        ])
    }

    /// Decodes ``json``; returns nil if it is not a baseline.
    package init?(_ json: JSON) {
        let names = (json["names"]?.arrayValue ?? []).map { ObservedName($0) }
        guard let ends = Table(json["ends"], { $0 }),
            let shown = Table(json["shown"], { $0.arrayValue.map { Set($0) } }),
            let counts = Table(json["counts"], { $0.intValue.flatMap { Int(exactly: $0) } }),
            !names.contains(nil)
        else { return nil }
        self.init()
        (self.ends, self.shown, self.counts, self.names) = (ends, shown, counts, Set(names.compactMap(\.self)))
    }
}

extension BehaviourBaseline.Table {
    fileprivate func json(_ encode: (Value) -> JSON) -> JSON {
        let sorted = values.sorted { "\($0.key)" < "\($1.key)" }
        return .object([
            JSONMember("values", .array(sorted.map { .array([$0.key.json, encode($0.value)]) })),
            JSONMember("varying", .array(varying.sorted { "\($0)" < "\($1)" }.map(\.json))),
        ])
    }

    fileprivate init?(_ json: JSON?, _ decode: (JSON) -> Value?) {
        guard let pairs = json?["values"]?.arrayValue, let names = json?["varying"]?.arrayValue else { return nil }
        for pair in pairs {
            guard let name = pair[0].flatMap(ObservedName.init), let value = pair[1].flatMap(decode) else { return nil }
            values[name] = value
        }
        for name in names {
            guard let name = ObservedName(name) else { return nil }
            varying.insert(name)
        }
    }
}

extension ObservedName {
    fileprivate var json: JSON {
        .array([client.map { .string($0.name) } ?? .null, .string(name), key.map { .string($0) } ?? .null])
    }

    fileprivate init?(_ json: JSON) {
        guard let name = json[1]?.stringValue, let parts = json.arrayValue, parts.count == 3 else { return nil }
        self.init(client: parts[0].stringValue.map { ClientID($0) }, name: name, key: parts[2].stringValue)
    }
}
