package import ChatWire
package import FakeServer
package import Faults
package import SquallCore

/// One action in a script: a client command, a server action or a network fault.
package struct Stimulus: Hashable, Sendable {
    package enum Operation: Hashable, Sendable {
        case client(ClientCommand)
        case server(ServerAction)
        case begin(Fault)
        case heal(label: String)
        case healAll
        /// Replays a client's login that the relay has recorded.
        case replayLogin
    }

    package var actor: Actor
    package var verb: String
    package var operation: Operation
    /// The clients to which the action applies; empty for all.
    package var clients: [ClientID]
    /// The arguments from which ``operation`` was created. They are used to convert the action back into a step.
    package var arguments: Arguments

    /// The label in `as:`; nil if the step has no `as:`.
    package var label: String? { arguments.label }

    package init(
        actor: Actor,
        verb: String,
        operation: Operation,
        clients: [ClientID] = [],
        arguments: Arguments = Arguments()
    ) {
        self.actor = actor
        self.verb = verb
        self.operation = operation
        self.clients = clients
        self.arguments = arguments
    }

    /// The name of the action's event in the trace.
    package var name: String { "\(actor.rawValue).\(verb)" }
}
