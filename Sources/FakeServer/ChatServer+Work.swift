import ChatWire
import Faults
import SquallCore

/// Runs prompts (messages that an agent works on) and commands: one prompt at a time in each conversation, and any
/// number of commands.
extension ChatServer {
    enum WorkOutcome: String, Hashable, Sendable, CaseIterable {
        case done, failed, stopped
    }

    /// Returns whether the conversation's previous prompt is still in progress, so that a new message is rejected.
    func isLocked(_ conversation: String) -> Bool {
        policy.work.lock == .perConversation && work.isBusy(conversation)
    }

    mutating func beginPrompt(_ message: ChatMessage, of client: ClientID) {
        guard profile.work.span > .zero else { return }
        let prompt = work.begin(message.conversation, message: message.key)
        note("server.prompt.began", key: prompt.message, ["conversation": .string(prompt.conversation)], of: client)
        tasks.add(.finishPrompt(prompt.number, client), at: now + profile.work.span)
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
        case .done:
            post(ServerAction.Post(to: prompt.conversation, text: profile.work.reply))
            if let reply = store.last(of: prompt.conversation) { work.ended(prompt, with: reply.id) }
        case .failed: broadcast(.error(.init(code: .internalError, message: profile.work.failure)))
        case .stopped: break
        }
    }

    /// Sends the reply to a prompt that a client has repeated; the client may not have received the reply before.
    mutating func repeatReply(to message: ChatMessage, on link: LinkID) {
        guard policy.work.replies == .areRepeated, let id = work.reply(to: message.key), let reply = store[id] else {
            return
        }
        send(.message(reply), to: link)
    }

    /// Fails the prompts in progress in a conversation, as requested by the `fail_prompt` action.
    mutating func failPrompts(of conversation: String) {
        for prompt in work.prompts where prompt.conversation == conversation {
            finishPrompt(prompt.number, .failed, of: nil)
        }
    }

    /// Runs a command. A repeated request runs it again, because a command has no idempotency key.
    mutating func execute(_ text: String, on link: LinkID) {
        let id = work.beginCommand()
        note("server.command.began", ["id": .string(id), "text": .string(text)], of: link.client)
        send(.commandStarted(id: id, text: text), to: link)
        tasks.add(.finishCommand(id, link.client), at: now + profile.work.span)
    }

    mutating func finishCommand(_ id: String, _ outcome: WorkOutcome, of client: ClientID?) {
        guard work.endCommand(id) else { return }
        note("server.command.ended", ["id": .string(id), "outcome": .string(outcome.rawValue)], of: client)
    }

    /// Stops a prompt or a command. The response is the same even if neither was running, so that a client can safely
    /// repeat the request.
    mutating func stop(_ target: String, on link: LinkID) {
        let prompts = work.prompts.filter { $0.conversation == target || policy.work.extent == .everything }
        if policy.work.stopping == .isRefusedIfIdle, prompts.isEmpty, !work.commands.contains(target) {
            send(.error(.init(code: .malformed, message: "\(target) is not running")), to: link)
            return
        }
        for prompt in prompts {
            finishPrompt(prompt.number, .stopped, of: link.client)
        }
        finishCommand(target, .stopped, of: link.client)
        send(.stopped(id: target), to: link)
    }
}
