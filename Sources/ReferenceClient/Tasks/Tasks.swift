import ChatWire
import SquallCore

/// Owns what the user has the server run, and stop.
///
/// Nothing of it waits for a connection and nothing is said twice: a command has no key by which the server could tell a
/// repeat, so that only the user can decide to run it again.
struct Tasks {
    private let rules: Rules
    /// The ids of commands that the server has started, in that order, each once.
    private(set) var started: [String] = []
    /// Commands on the wire that the server has yet to answer.
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

    /// Whether what was on the wire has arrived nobody knows: the user is told, and decides.
    mutating func linkLost(_ step: inout Step) {
        guard unanswered > 0 else { return }
        unanswered = 0
        step.emit(.trouble(texts.commandUnanswered, .retry))
        step.changes.insert(.tasks)
    }
}

extension Tasks {
    static let registry: [RegistryEntry] = [
        .observable("commands.started", .list, "The ids of commands that the server has started, in that order."),
        .observable("commands.unanswered", .integer, "Commands on the wire that the server has not answered."),
    ]
}
