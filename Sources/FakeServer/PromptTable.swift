import ChatWire
import SquallCore

/// What the server works on for its clients: the prompts of conversations, and commands.
///
/// A restart forgets it: what was worked on is gone with the process, and so is every lock.
struct PromptTable: Hashable, Sendable {
    struct Prompt: Hashable, Sendable {
        /// Tells one prompt from every other, also of the same conversation.
        let number: Int
        let conversation: String
        /// The message that asked for it.
        let message: String
    }

    private(set) var prompts: [Prompt] = []
    /// The ids of commands that run.
    private(set) var commands: [String] = []
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
        let prompt = Prompt(number: begun, conversation: conversation, message: message)
        prompts.append(prompt)
        return prompt
    }

    /// Nil where it has ended before.
    mutating func endPrompt(_ number: Int) -> Prompt? {
        guard let place = prompts.firstIndex(where: { $0.number == number }) else { return nil }
        return prompts.remove(at: place)
    }

    /// Another id each time.
    mutating func beginCommand() -> String {
        let id = "cmd-\(ids.nextUUID())"
        commands.append(id)
        return id
    }

    /// Whether it ran.
    mutating func endCommand(_ id: String) -> Bool {
        guard let place = commands.firstIndex(of: id) else { return false }
        commands.remove(at: place)
        return true
    }

    mutating func forget() {
        prompts = []
        commands = []
    }
}
