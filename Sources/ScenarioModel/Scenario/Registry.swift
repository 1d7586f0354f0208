import ChatWire
import FakeServer
import Faults
import ReferenceClient
package import SquallCore
package import Trace

/// Every name that a trace, a scenario, the schema and the documentation may use.
///
/// The tables stand beside whoever produces what they name; this is where they meet.
package enum Registry {
    /// The client's, the server's, the network's, and an event for everything that somebody can be told to do.
    package static let entries: [RegistryEntry] =
        Client.registry + ForeignRegistry.entries + ChatServer.registry + Fault.registry + actions.compactMap(\.event)

    /// What the actors can be told to do.
    package static let actions: [ActionEntry] = ClientCommand.actions + ServerAction.actions + Fault.actions

    package static let observables = entries.filter { $0.kind == .observable }
    package static let events = entries.filter { $0.kind == .event }
    package static let faults = entries.filter { $0.kind == .fault }

    private static let places: [String: Int] = Dictionary(
        entries.enumerated().filter { $1.kind != .fault }.map { ($1.name, $0) },
        uniquingKeysWith: { first, _ in first }
    )

    /// The observable or event of that name.
    package static func entry(named name: String) -> RegistryEntry? {
        places[name].map { entries[$0] }
    }

    package static func observable(named name: String) -> RegistryEntry? {
        entry(named: name).flatMap { $0.kind == .observable ? $0 : nil }
    }

    /// The event of that name, or the events below it: `client.sent` stands for `client.sent.ping` and its kind.
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

    /// How the two worlds are compared on a name.
    ///
    /// What no table names is compared in full.
    package static func parity(_ name: String) -> ParityRule {
        entry(named: name).map(ParityRule.init) ?? ParityRule(.exact)
    }

    /// The words that an observable's value may be; nil where its values are no closed set.
    package static func words(of name: String) -> [String]? {
        if case .word(let words)? = entry(named: name)?.value { words } else { nil }
    }

    /// Observables whose items are messages, and so have labels.
    package static let listsOfMessages = MessageAliases.lists

    /// Observables that are a message's name.
    package static let namesOfMessages = MessageAliases.references
}

extension ActionEntry {
    /// What `as:` names.
    package enum LabelKind: String, Hashable, Sendable, CaseIterable {
        case message, upload, fault, hold
    }

    /// Nil where there is nothing to name.
    package var labelKind: LabelKind? {
        guard takesLabel else { return nil }
        if actor == .network { return .fault }
        return switch verb {
        case "hold": .hold
        case "share": .upload
        default: .message
        }
    }

    /// The event that the trace shows when somebody does it.
    ///
    /// A fault tells of itself: `fault.began`.
    fileprivate var event: RegistryEntry? {
        guard actor != .network else { return nil }
        return RegistryEntry(
            .event,
            "\(actor.rawValue).\(verb)",
            .fields([], measured: []),
            key: labelKind?.rawValue,
            provenance: .injected,
            parity: .log,
            level: actor == .server ? .wire : actor == .user ? .commands : .device,
            "The script: \(meaning.prefix(1).lowercased())\(meaning.dropFirst())"
        )
    }
}
