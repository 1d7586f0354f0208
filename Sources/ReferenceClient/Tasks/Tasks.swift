import ChatWire
import SquallCore

/// Owns the commands that the user runs and stops on the server.
///
/// Commands are neither queued nor repeated: they carry no idempotency key by which the server could detect a repeat,
/// so only the user can decide to run one again.
struct Tasks {
    private let rules: Rules
    /// The IDs of the commands that the server has started, in order and without duplicates.
    private(set) var started: [String] = []
    /// The texts of commands in flight that the server has not answered.
    private var inFlight: [String] = []
    /// The commands that a planted defect sends again over the next connection.
    private var repeats: [String] = []

    init(_ rules: Rules) {
        self.rules = rules
    }

    /// The number of commands in flight that the server has not answered.
    var unanswered: Int64 { Int64(inFlight.count) }
    private var texts: ClientTexts.Banner { rules.profile.text.banner }

    mutating func execute(_ text: String, over channel: Outbox.Channel, _ step: inout Step) {
        guard channel == .socket, rules.wire.has(.executeCommand, by: .client) else {
            if rules.policy.tasks.offline == .areQueued { return repeats.append(text) }
            step.emit(.trouble(texts.commandNotSent, .retry))
            return
        }
        if rules.policy.tasks.same == .areIgnored, inFlight.contains(text) { return }
        inFlight.append(text)
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
        let isCopy = started.contains(id)
        // A second copy of the frame must not be mistaken for the answer to the next command in flight.
        if isCopy, rules.policy.tasks.copiedStarts == .areIgnored { return }
        if !inFlight.isEmpty { inFlight.removeFirst() }
        if !isCopy { started.append(id) }
        step.changes.insert(.tasks)
    }

    /// Reports commands in flight to the user, because the client cannot know whether they have run.
    mutating func linkLost(_ step: inout Step) {
        guard !inFlight.isEmpty else { return }
        if rules.policy.tasks.unanswered == .areRepeated { repeats = inFlight }
        inFlight = []
        step.emit(.trouble(texts.commandUnanswered, .retry))
        step.changes.insert(.tasks)
    }

    mutating func connected(_ step: inout Step) {
        for text in repeats { execute(text, over: .socket, &step) }
        repeats = []
    }
}

/// How the client treats commands without a connection, and those whose answer the loss of the connection prevents.
package struct TasksPolicy: Hashable, Sendable {
    package enum Unanswered: Hashable, Sendable { case areReported, areRepeated }
    /// How the client treats the second copy of a `command_started`: it ignores the copy, or mistakes it for the answer
    /// to the next command in flight.
    package enum CopiedStarts: Hashable, Sendable { case areIgnored, answerTheNext }

    /// What happens to commands without a connection.
    package enum Offline: Hashable, Sendable { case areRefused, areQueued }

    /// What happens to a command while an equal one is unanswered: it runs as well, or is ignored.
    package enum Same: Hashable, Sendable { case run, areIgnored }

    package var offline = Offline.areRefused
    package var unanswered = Unanswered.areReported
    package var copiedStarts = CopiedStarts.areIgnored
    package var same = Same.run

    static let defects: [Defect] = [
        Defect(
            "commandsDeduplicated",
            ["WS-12h"],
            "a command is ignored while an equal one is unanswered",
            policy: { $0.tasks.same = .areIgnored }
        ),
        Defect(
            "commandsQueued",
            ["WS-12h"],
            "a command without a connection is sent after the next login",
            policy: { $0.tasks.offline = .areQueued }
        ),
        Defect(
            "commandsRepeated",
            ["WS-12h"],
            "a command without an answer is sent again after a reconnect, and runs twice",
            policy: { $0.tasks.unanswered = .areRepeated }
        ),
        Defect(
            "startCountsTwice",
            ["WS-12f"],
            "a second copy of a command's start counts as the answer to the next command",
            policy: { $0.tasks.copiedStarts = .answerTheNext }
        ),
    ]
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
            "The number of commands that the client has sent and the server has not answered."
        ),
    ]
}
