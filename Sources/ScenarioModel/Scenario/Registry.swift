import ChatWire
import FakeServer
import Faults
import ReferenceClient
package import SquallCore
package import Trace

/// All names that traces, scenarios, the schema and the documentation can contain.
///
/// Each module declares the names that it produces; this type combines them.
package enum Registry {
    /// The entries for clients, server and network, and one event for each action.
    package static let entries: [RegistryEntry] =
        Client.registry + ForeignRegistry.entries + ChatServer.registry + Fault.registry + RunRegistry.entries
        + actions.compactMap(\.event)

    /// The actions of all actors.
    package static let actions: [ActionEntry] = ClientCommand.actions + ServerAction.actions + Fault.actions

    package static let observables = entries.filter { $0.kind == .observable }
    package static let events = entries.filter { $0.kind == .event }
    package static let faults = entries.filter { $0.kind == .fault }

    private static let places: [String: Int] = Dictionary(
        entries.enumerated().filter { $1.kind != .fault }.map { ($1.name, $0) },
        uniquingKeysWith: { first, _ in first }
    )

    /// Returns the observable or event with the given name.
    package static func entry(named name: String) -> RegistryEntry? {
        places[name].map { entries[$0] }
    }

    package static func observable(named name: String) -> RegistryEntry? {
        entry(named: name).flatMap { $0.kind == .observable ? $0 : nil }
    }

    /// Returns the event with the given name or, if the name is only a prefix, all events below it; for example,
    /// `client.sent` includes `client.sent.ping`.
    package static func events(named name: String) -> [RegistryEntry] {
        if let entry = entry(named: name) { return entry.kind == .event ? [entry] : [] }
        return events.filter { $0.name.hasPrefix("\(name).") }
    }

    package static func actions(of actor: Actor) -> [ActionEntry] {
        actions.filter { $0.actor == actor }
    }

    package static func action(of actor: Actor, _ verb: String) -> ActionEntry? {
        actions.first { $0.actor == actor && $0.verb == verb }
    }

    /// Returns the rule for comparing events and values with this name between simulated and live runs. If the name has
    /// no entry, they must be the same in both.
    package static func parity(_ name: String) -> ParityRule {
        entry(named: name).map(ParityRule.init) ?? ParityRule(.exact)
    }

    /// Returns the values that an observable can have; nil if they are not a fixed set of keywords.
    package static func words(of name: String) -> [String]? {
        if case .word(let words)? = entry(named: name)?.value { words } else { nil }
    }

    /// The observables whose values are lists of messages. Scenarios can refer to the messages by their labels.
    package static let listsOfMessages = MessageAliases.lists

    /// The observables whose values refer to messages.
    package static let namesOfMessages = MessageAliases.references
}

extension ActionEntry {
    /// The kind of object that the label in `as:` identifies.
    package enum LabelKind: String, Hashable, Sendable, CaseIterable {
        case message, upload, fault, hold, rule
    }

    /// The kind of object that the action's label identifies; nil if the action takes no label.
    package var labelKind: LabelKind? {
        guard takesLabel else { return nil }
        if actor == .network { return .fault }
        return switch verb {
        case "hold": .hold
        case "rule", "respond": .rule
        case "share": .upload
        default: .message
        }
    }

    /// The event that is recorded when the action is performed; nil for faults, for which `fault.began` is recorded.
    fileprivate var event: RegistryEntry? {
        guard actor != .network else { return nil }
        // The description of a server action begins with a verb ("closes …") and is introduced by "that". Any other
        // description begins with a subject and is introduced by "in which".
        let clause = actor == .server ? "that" : "in which"
        return RegistryEntry(
            .event,
            "\(actor.rawValue).\(verb)",
            .fields([], measured: []),
            key: labelKind?.rawValue,
            provenance: .injected,
            parity: .log,
            level: actor == .server ? .wire : actor == .user ? .commands : .device,
            "A step of the script \(clause) \(meaning.prefix(1).lowercased())\(meaning.dropFirst())"
        )
    }
}
