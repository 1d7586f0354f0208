import ChatWire
import Faults
import SquallCore

/// Prompts and commands: one prompt a conversation at a time, commands as many as are asked for.
extension ChatServer {
    enum WorkOutcome: String, Hashable, Sendable, CaseIterable {
        case done, failed, stopped
    }

    /// Whether a message to this conversation has to wait for the one before it.
    func isLocked(_ conversation: String) -> Bool {
        policy.work.lock == .perConversation && work.isBusy(conversation)
    }

    mutating func beginPrompt(_ message: ChatMessage, of client: ClientID) {
        guard profile.work.span > .zero else { return }
        let prompt = work.begin(message.conversation, message: message.key)
        note("server.prompt.began", key: prompt.message, ["conversation": .string(prompt.conversation)], of: client)
        agenda.add(.finishPrompt(prompt.number, client), at: now + profile.work.span)
    }

    mutating func finishPrompt(_ number: Int, _ outcome: WorkOutcome, of client: ClientID?) {
        guard let prompt = work.endPrompt(number) else { return }
        note(
            "server.prompt.ended",
            key: prompt.message,
            ["conversation": .string(prompt.conversation), "outcome": .string(outcome.rawValue)],
            of: client
        )
        switch outcome {
        case .done: post(ServerAction.Post(to: prompt.conversation, text: profile.work.reply))
        case .failed: broadcast(.error(.init(code: .internalError, message: profile.work.failure)))
        case .stopped: break
        }
    }

    /// What the script lets go wrong.
    mutating func failPrompts(of conversation: String) {
        for prompt in work.prompts where prompt.conversation == conversation {
            finishPrompt(prompt.number, .failed, of: nil)
        }
    }

    /// Each time anew: nothing in it could tell a repeat.
    mutating func execute(_ text: String, on link: LinkID) {
        let id = work.beginCommand()
        note("server.command.began", ["id": .string(id), "text": .string(text)], of: link.client)
        send(.commandStarted(id: id, text: text), to: link)
        agenda.add(.finishCommand(id, link.client), at: now + profile.work.span)
    }

    mutating func finishCommand(_ id: String, _ outcome: WorkOutcome, of client: ClientID?) {
        guard work.endCommand(id) else { return }
        note("server.command.ended", ["id": .string(id), "outcome": .string(outcome.rawValue)], of: client)
    }

    /// The same answer whether something ran or not, so that it can be said again without a thought.
    mutating func stop(_ target: String, on link: LinkID) {
        for prompt in work.prompts where prompt.conversation == target {
            finishPrompt(prompt.number, .stopped, of: link.client)
        }
        finishCommand(target, .stopped, of: link.client)
        send(.stopped(id: target), to: link)
    }
}
