import ScenarioModel
import SquallCore

/// The actions and events that Squall's registry defines but that never occurred during an exploration.
package struct Unexercised: Hashable, Sendable {
    /// The user, device and server actions, and the faults, that never occurred.
    package let actions: [String]
    /// The names of all other events that never occurred.
    package let events: [String]

    /// Determines which actions and events in the registry never occurred.
    ///
    /// - Parameter features: The features of all runs.
    package init(features: Set<Feature>) {
        let met = Set(features.map(\.event))
        actions = Registry.actions.filter { entry in
            // An action that ends a fault is not included, because the trace contains only an event for the end of the
            // fault, none for the action.
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
