import ChatWire
import SquallCore

/// Owns the commands that the user runs and stops on the server.
///
/// Commands are neither queued nor repeated: they carry no idempotency key by which the server could detect a repeat,
/// so only the user can decide to run one again.
struct Tasks {
    private let rules: Rules
    /// The ids of commands that the server has started, in the order of their start, without duplicates.
    private(set) var started: [String] = []
    /// The number of commands in flight that the server has not answered.
    private(set) var unanswered: Int64 = 0

    init(_ rules: Rules) {
        self.rules = rules
    }

    private var texts: ClientTexts.Banner { rules.profile.text.banner }

    mutating func execute(_ text: String, over channel: Outbox.Channel, _ step: inout Step) {
        guard channel == .socket, rules.wire.has(.executeCommand, by: .client) else {
            step.emit(.trouble(texts.commandNotSent, .retry))
            return
        }
        unanswered += 1
        step.emit(.say(.executeCommand(text: text)))
        step.changes.insert(.tasks)
    }

    mutating func stop(_ id: String, over channel: Outbox.Channel, _ step: inout Step) {
        guard channel == .socket, rules.wire.has(.stop, by: .client) else {
            step.emit(.trouble(texts.stopNotSent, .retry))
            return
        }
        step.emit(.say(.stop(id: id)))
    }

    mutating func commandStarted(_ id: String, _ step: inout Step) {
        unanswered = max(unanswered - 1, 0)
        if !started.contains(id) { started.append(id) }
        step.changes.insert(.tasks)
    }

    /// Reports commands in flight to the user, because the client cannot know whether they have run.
    mutating func linkLost(_ step: inout Step) {
        guard unanswered > 0 else { return }
        unanswered = 0
        step.emit(.trouble(texts.commandUnanswered, .retry))
        step.changes.insert(.tasks)
    }
}

extension Tasks {
    static let registry: [RegistryEntry] = [
        .observable(
            "commands.started",
            .list,
            "The ids of commands that the server has started, in the order of their start."
        ),
        .observable(
            "commands.unanswered",
            .integer,
            "The number of commands in flight that the server has not answered."
        ),
    ]
}
