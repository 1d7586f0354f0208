import ScenarioModel
package import SquallCore
import TemporalLogic
package import Trace

/// The last value of each observable before the fault-free period (calm) that the run appends to its script.
///
/// When a client's process is killed, its values are removed, because the client then shows nothing.
package struct EndState: Sendable {
    package private(set) var values: [ObservedName: JSON] = [:]
    /// The events that reported that the server had stored an item permanently, such as `server.stored[hello]`.
    private(set) var kept: Set<ObservedName> = []

    /// The clients whose process was killed during the script. After a restart, the observables depend on the data on
    /// disk and on the conversations opened since.
    private(set) var restarted: Set<ClientID> = []

    static let calmBegan = "run.calm_began"
    /// The events that report that the server has accepted an item created by a user.
    private static let keeping: Set = ["server.stored", "server.uploaded"]

    package init(_ recording: Recording) {
        for event in recording.events {
            if event.name == Self.calmBegan { break }
            if Self.keeping.contains(event.name), let key = event.key {
                kept.insert(ObservedName(client: nil, name: event.name, key: key))
            }
            guard let client = event.client else { continue }
            if event.name == "client.killed" {
                values = values.filter { $0.key.client != client }
                restarted.insert(client)
            }
            let name = ObservedName(client: client, name: event.name, key: event.key)
            switch event.observation.change {
            case .happened: break
            case .set(let value): values[name] = value
            case .inserted, .removed, .replaced: values[name, default: []].edit(event.observation.change)
            }
        }
    }
}

/// A final value that differs between a perturbed run, in which a short fault was injected, and the unperturbed run.
package struct EndDifference: Hashable, Sendable {
    package var name: ObservedName
    /// The final value in the unperturbed run; nil if `name` is the name of an event that should have occurred.
    package var expected: JSON?
    package var found: JSON?
    /// How the two values were compared.
    package var rule = EndClass.Rule.same

    /// Returns the differences between the final values of two runs, ordered by client and name.
    ///
    /// Only observables that were reported in the unperturbed run are compared. An observable of a message or file is
    /// compared only if that message or file has one of `labels`. A client that is not connected at the end of the
    /// unperturbed run is not compared, because its values depend on when its connection ended or on its last poll.
    static func all(
        of found: EndState,
        from expected: EndState,
        _ kind: PerturbationKind,
        labels: Set<String>
    ) -> [EndDifference] {
        let lost = expected.kept.subtracting(found.kept).filter { labels.contains($0.key ?? "") }
            .sorted { "\($0)" < "\($1)" }
            .map { EndDifference(name: $0, expected: nil, found: nil) }
        // A long perturbation may make sending fail, after which the user has to send the message again. A message that
        // the server has not stored is then not a difference.
        if let first = lost.first { return EndClass.outcome.isTimed(by: kind) ? [] : [first] }
        let clients = Set(expected.values.keys.compactMap(\.client)).sorted { $0.name < $1.name }
        return clients.flatMap { client -> [EndDifference] in
            let state = ObservedName(client: client, name: "connection.state", key: nil)
            guard let connected = expected.values[state], connected == "connected" else { return [] }
            switch found.values[state] {
            case "connected"?: break
            // A client in the state `degraded` polls instead of using a WebSocket, so its values are not compared.
            case "degraded"?: return []
            case let other: return [EndDifference(name: state, expected: connected, found: other)]
            }
            let names = expected.values.keys.filter { $0.client == client && isNamed($0, labels) }
                .sorted { "\($0)" < "\($1)" }
            // If an action had a different outcome, values in other classes may differ as a result, so they are not
            // compared.
            let hasSameOutcome = names.allSatisfy { name in
                !EndClass.of(name.name).decides || isEqual(name, found, expected)
            }
            return names.compactMap { name in
                guard hasSameOutcome || EndClass.of(name.name).decides else { return nil }
                return difference(in: name, of: found, from: expected, kind)
            }
        }
    }

    private static func isEqual(_ name: ObservedName, _ found: EndState, _ expected: EndState) -> Bool {
        guard let value = expected.values[name] else { return true }
        return EndClass.Rule.same.allows(found.values[name], for: value)
    }

    /// Returns whether a scenario file can refer to the observable `name`. It cannot if the key identifies a message or
    /// file without a label.
    private static func isNamed(_ name: ObservedName, _ labels: Set<String>) -> Bool {
        guard let key = name.key, let kind = Registry.entry(named: name.name)?.key else { return true }
        return !["message", "upload"].contains(kind) || labels.contains(key)
    }

    private static func difference(
        in name: ObservedName,
        of found: EndState,
        from expected: EndState,
        _ kind: PerturbationKind
    ) -> EndDifference? {
        guard let value = expected.values[name] else { return nil }
        let isRestarted = name.client.map(expected.restarted.contains) ?? false
        let kind = isRestarted ? .kill : kind
        // A restarted process does not report some observables until they are first used, so a missing value is not a
        // difference.
        if kind == .kill, found.values[name] == nil { return nil }
        if let followed = EndClass.followed(by: name.name) {
            let key = Registry.entry(named: followed)?.key == nil ? nil : name.key
            let other = ObservedName(client: name.client, name: followed, key: key)
            guard expected.values[other] == found.values[other] else { return nil }
        }
        // A conversation's messages are loaded while the user views it. Once the user leaves, which messages are loaded
        // depends on how far loading had progressed.
        if EndClass.of(name.name) == .extent, let conversation = name.key {
            let view = ObservedName(client: name.client, name: "view.conversation", key: nil)
            let isViewed = [expected, found].allSatisfy { $0.values[view] == .string(conversation) }
            guard isViewed else { return nil }
        }
        let rule = EndClass.of(name.name).rule(after: kind)
        guard !rule.allows(found.values[name], for: value) else { return nil }
        return EndDifference(name: name, expected: value, found: found.values[name], rule: rule)
    }
}

extension EndDifference: CustomStringConvertible {
    package var description: String {
        guard let expected else { return "\(name) did not happen, although it did without the perturbation" }
        let shown = found.map(\.readable) ?? "not shown"
        return "\(name) is \(shown) at the end; without the perturbation it is \(expected.readable)"
    }
}
