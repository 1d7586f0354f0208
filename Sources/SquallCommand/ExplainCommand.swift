import ArgumentParser
import Squall

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Say what a word means: an observable, event, action, fault, profile value, invariant, row or defect.",
        discussion: "'squall explain observables', 'events', 'actions', 'profile' and 'defects' list all of a kind."
    )

    @Argument(help: "The word, as scenario files write it.")
    var word: String

    func run() async throws {
        let code = await reportingErrors {
            Terminal.print(try Suite.explain(word))
            return 0
        }
        if code != 0 { throw ExitCode(code) }
    }
}
