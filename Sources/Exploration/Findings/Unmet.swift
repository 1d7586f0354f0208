import ScenarioModel
import SquallCore

/// The actions and events of the registry that occurred in no run of an exploration, which therefore did not test them.
package struct Unmet: Hashable, Sendable {
    /// The actions of the user, the device and the server, and the faults that have not been played.
    package let actions: [String]
    /// The other events that have not happened.
    package let events: [String]

    /// - Parameter features: What the runs have shown.
    package init(features: Set<Feature>) {
        let met = Set(features.map(\.event))
        actions = Registry.actions.filter { entry in
            // An action that ends faults is recorded as their end.
            let isFault = entry.actor == .network
            if isFault, entry.labelKind != .fault { return false }
            return !met.contains(isFault ? "\(Feature.faultBegan) \(entry.verb)" : entry.fullName)
        }.map(\.fullName)
        let names = Set(Registry.actions.map(\.fullName))
        let kinds = "\(Feature.faultBegan) "
        events = Registry.events.map(\.name).filter { name in
            if name == Feature.faultBegan { return !met.contains { $0.hasPrefix(kinds) } }
            return !met.contains(name) && !names.contains(name)
        }
    }
}
