import ChatWire
import SquallCore

/// The prompts (messages that an agent works on) and the commands that are in progress.
///
/// A restart discards them and thereby unlocks every conversation.
struct PromptTable: Hashable, Sendable {
    struct Prompt: Hashable, Sendable {
        /// The prompt's number, which is unique across all conversations.
        let number: Int
        let conversation: String
        /// The trace key of the message that started the prompt.
        let message: String
    }

    private(set) var prompts: [Prompt] = []
    /// The ids of the running commands.
    private(set) var commands: [String] = []
    /// The ID of the reply to each prompt that has ended, by the trace key of the prompt's message.
    private var replies: [String: String] = [:]
    private var begun = 0
    private var ids: SeededGenerator

    init(seed: Seed) {
        ids = seed.stream("server.commands")
    }

    func isBusy(_ conversation: String) -> Bool {
        prompts.contains { $0.conversation == conversation }
    }

    mutating func begin(_ conversation: String, message: String) -> Prompt {
        begun += 1
        // A server that has lost its messages may run a prompt a second time, and may have given the ID of the first
        // reply to another message since.
        replies[message] = nil
        let prompt = Prompt(number: begun, conversation: conversation, message: message)
        prompts.append(prompt)
        return prompt
    }

    /// Removes and returns a prompt; nil if it has already ended.
    mutating func endPrompt(_ number: Int) -> Prompt? {
        guard let index = prompts.firstIndex(where: { $0.number == number }) else { return nil }
        return prompts.remove(at: index)
    }

    /// Remembers the ID of the reply to a prompt that has ended.
    mutating func ended(_ prompt: Prompt, with reply: String) { replies[prompt.message] = reply }

    /// Returns the ID of the reply to the prompt that the message with this trace key has started; nil if none exists.
    func reply(to message: String) -> String? { replies[message] }

    /// Starts a command, and returns its new id.
    mutating func beginCommand() -> String {
        let id = "cmd-\(ids.nextUUID())"
        commands.append(id)
        return id
    }

    /// Ends a command, and returns whether it was running.
    mutating func endCommand(_ id: String) -> Bool {
        guard let index = commands.firstIndex(of: id) else { return false }
        commands.remove(at: index)
        return true
    }

    mutating func forget() {
        prompts = []
        commands = []
    }
}
