import ArgumentParser
import Exploration
import Squall
import SquallCore
import Synchronization

extension FirstScenario.Weather: ExpressibleByArgument {}
extension FirstScenario.Trigger: ExpressibleByArgument {}
extension FirstScenario.Goal: ExpressibleByArgument {}

struct NewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Write a first scenario, from the answers to three questions.",
        discussion: """
            At a terminal, squall asks what is not given as an option. The scenario passes with Squall's own client.

              network   \(list(FirstScenario.Weather.self, \.meaning))
              when      \(list(FirstScenario.Trigger.self, \.meaning))
              see       \(list(FirstScenario.Goal.self, \.meaning))

            exit status: 0 written, 64 usage error, such as a file that exists, 70 the file cannot be written, \
            130 interrupted
            """
    )

    @Argument(help: "The scenario file to write, which must not exist.")
    var file: String

    @Option(help: ArgumentHelp("What happens to the network.", valueName: "word"))
    var network: FirstScenario.Weather?

    @Option(help: ArgumentHelp("When it happens.", valueName: "word"))
    var when: FirstScenario.Trigger?

    @Option(help: ArgumentHelp("What the user must see.", valueName: "word"))
    var see: FirstScenario.Goal?

    private static func list<Word: CaseIterable & RawRepresentable<String>>(
        _ type: Word.Type,
        _ meaning: (Word) -> String
    ) -> String {
        type.allCases.map { "\($0.rawValue): \(meaning($0))" }.joined(separator: "\n            ")
    }

    func run() async throws {
        try await finish {
            try RecordedFile.check(file)
            let interview = Interview(file: file, network: network, when: when, see: see)
            let text = try await Interruption.cancels { try await interview.write() }
            Terminal.print("\(SanitizedText(lines: text))")
            return .passed
        }
    }
}

/// Asks the user for the answers that were not given as options.
private struct Interview: Sendable {
    let file: String
    let network: FirstScenario.Weather?
    let when: FirstScenario.Trigger?
    let see: FirstScenario.Goal?

    /// Writes the scenario; returns a description of the written file.
    func write() async throws -> String {
        let isComplete = network != nil && when != nil && see != nil
        let questions = isComplete ? nil : Questions()
        defer { questions?.close() }
        guard isComplete || questions != nil else {
            throw SquallError.usage(
                "without a terminal, answer with --network, --when and --see ('squall new --help' lists the words)"
            )
        }
        let weather = try await answer(network, "What happens to the network?", \.meaning, questions)
        let trigger = try await answer(when, "When?", \.meaning, questions)
        let scenario = FirstScenario(weather, trigger)
        let goals = try FirstScenarioFile.goals(of: scenario)
        if let see, !goals.contains(see) {
            let words = goals.map(\.rawValue).joined(separator: ", ")
            throw SquallError.usage(
                "--see \(see.rawValue): Squall's own client does not show this with --network \(weather.rawValue) "
                    + "--when \(trigger.rawValue); choose one of: \(words)"
            )
        }
        let goal = try await answer(see, "What must the user see?", among: goals, \.meaning, questions)
        try FirstScenarioFile.write(scenario, goal, to: file)
        return "\(file): \(scenario.name(goal))\nplay it with: squall run \(ShellWord.quoted(file))"
    }

    private func answer<Word: CaseIterable & RawRepresentable<String>>(
        _ given: Word?,
        _ question: String,
        among words: [Word] = Array(Word.allCases),
        _ meaning: (Word) -> String,
        _ questions: Questions?
    ) async throws -> Word {
        if let given { return given }
        let choices = words.map { (word: $0.rawValue, meaning: meaning($0)) }
        guard let text = await questions?.ask(question, choices), let word = Word(rawValue: text) else {
            throw CancellationError()
        }
        return word
    }
}

/// Asks questions at a terminal. Each question offers words to choose from; the first word is the default.
private struct Questions {
    private let prompt: Prompt
    private let lines: AsyncStream<String>
    /// The words that the tab key can complete.
    private static let words = Mutex<[String]>([])

    /// Opens a prompt; returns nil if there is no terminal.
    init?() {
        let complete: LineEditor.Completion = { before in
            let words = Self.words.withLock(\.self).filter { $0.hasPrefix(before) && $0 != before }
            return (before.count, words)
        }
        guard let prompt = Prompt(sign: "> ", completion: complete) else { return nil }
        self.prompt = prompt
        lines = prompt.lines()
    }

    /// Prints a question with the possible answers and their meanings, and returns the chosen word; nil when the input
    /// ends.
    func ask(_ question: String, _ choices: [(word: String, meaning: String)]) async -> String? {
        guard let first = choices.first else { return nil }
        Self.words.withLock { $0 = choices.map(\.word) }
        let width = (choices.map(\.word.count).max() ?? 0) + 2
        let list = choices.map { word, meaning in
            "  \(word)\(String(repeating: " ", count: width - word.count))\(meaning)"
        }
        prompt.print(([question] + list).joined(separator: "\n"))
        prompt.change(sign: "\(question) [\(first.word)] ")
        for await line in lines {
            let text = line.split(separator: " ").joined(separator: " ")
            if text == "quit" { return nil }
            let near = choices.filter { $0.word.hasPrefix(text) }
            let chosen = text.isEmpty ? first : choices.first { $0.word == text } ?? (near.count == 1 ? near[0] : nil)
            if let chosen {
                // The next question may appear only after some seconds. Until then the prompt is hidden, so that this
                // question does not seem to be repeated.
                prompt.change(sign: "")
                return chosen.word
            }
            prompt.print("type one of: \(choices.map(\.word).joined(separator: ", "))")
        }
        return nil
    }

    func close() { prompt.close() }
}
