import ChatWire
import FakeServer
package import Faults
import ReferenceClient
package import SquallCore

extension Stimulus {
    /// Why a stimulus cannot be made from an action's arguments.
    package enum Unfit: Error, Hashable {
        /// A fault cannot take one of them.
        case argument(UnfitArgument)
        /// The action does not accept them together.
        case values
    }

    /// The stimuli of an action, whose arguments have the kinds that its entry declares.
    ///
    /// `clients` are those that it concerns; empty for all. An action of the server concerns one client or all of them,
    /// so that there is one stimulus for each of several clients.
    ///
    /// - Throws: If the arguments do not fit the action.
    package static func make(
        _ entry: ActionEntry,
        _ arguments: Arguments,
        clients: [ClientID]
    ) throws(Unfit) -> [Stimulus] {
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
    ) throws(Unfit) -> Stimulus {
        guard let deed = try operation(entry, arguments) else { throw .values }
        return Stimulus(actor: entry.actor, verb: entry.verb, deed: deed, clients: clients, arguments: arguments)
    }

    private static func operation(_ entry: ActionEntry, _ arguments: Arguments) throws(Unfit) -> Operation? {
        switch entry.actor {
        case .user, .device:
            return ClientCommand(actor: entry.actor, verb: entry.verb, arguments: arguments).map { .client($0) }
        case .server: return ServerAction(verb: entry.verb, arguments).map { .server($0) }
        case .network:
            switch entry.verb {
            case "heal": return arguments.text("label").map { .heal(label: $0) }
            case "heal_all": return .healAll
            case "replay_login": return .replayLogin
            default:
                do throws(UnfitArgument) {
                    return try Fault(verb: entry.verb, arguments).map { .begin($0) }
                } catch {
                    throw .argument(error)
                }
            }
        }
    }
}
