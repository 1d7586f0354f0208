import ChatWire
import FakeServer
import Faults
import ReferenceClient
package import SquallCore

extension Stimulus {
    /// The reason why a stimulus cannot be created from an action's arguments.
    package enum ArgumentError: Error, Hashable {
        /// One of the arguments is invalid for the action.
        case argument(InvalidArgument)
        /// The combination of arguments is not allowed for the action.
        case values
    }

    /// Creates the stimuli for an action. Its arguments must be of the kinds that the action's entry declares.
    ///
    /// `clients` are the clients to which the action applies; empty for all. A server action applies either to one
    /// client or to all, so if several clients are given, one stimulus is created for each.
    ///
    /// - Throws: ``ArgumentError`` if the arguments are not valid for the action.
    package static func make(
        _ entry: ActionEntry,
        _ arguments: Arguments,
        clients: [ClientID]
    ) throws(ArgumentError) -> [Stimulus] {
        guard entry.actor == .server, !clients.isEmpty else {
            return [try one(entry, arguments, clients: clients)]
        }
        var stimuli: [Stimulus] = []
        for client in clients {
            let others = arguments.values.filter { $0.name != "client" }
            let own = Arguments(others + [("client", .text(client.name))], label: arguments.label)
            stimuli.append(try one(entry, own, clients: [client]))
        }
        return stimuli
    }

    private static func one(
        _ entry: ActionEntry,
        _ arguments: Arguments,
        clients: [ClientID]
    ) throws(ArgumentError) -> Stimulus {
        let made: Operation?
        do throws(InvalidArgument) {
            made = try operation(entry, arguments)
        } catch {
            throw .argument(error)
        }
        guard let operation = made else { throw .values }
        return Stimulus(
            actor: entry.actor,
            verb: entry.verb,
            operation: operation,
            clients: clients,
            arguments: arguments
        )
    }

    private static func operation(_ entry: ActionEntry, _ arguments: Arguments) throws(InvalidArgument) -> Operation? {
        switch entry.actor {
        case .user, .device:
            return ClientCommand(actor: entry.actor, verb: entry.verb, arguments: arguments).map { .client($0) }
        case .server: return try ServerAction(verb: entry.verb, arguments).map { .server($0) }
        case .network:
            switch entry.verb {
            case "heal": return arguments.text("label").map { .heal(label: $0) }
            case "heal_all": return .healAll
            case "replay_login": return .replayLogin
            default: return try Fault(verb: entry.verb, arguments).map { .begin($0) }
            }
        }
    }
}
