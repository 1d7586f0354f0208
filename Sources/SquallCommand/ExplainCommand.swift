import ArgumentParser
import Squall
import SquallCore

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Say what a word means: an observable, event, action, fault, profile value, invariant, row or defect.",
        discussion: """
            'squall explain observables', 'events', 'actions', 'profile' and 'defects' list all of a kind; \
            'squall explain UX-' lists the rows of an audit, 'squall explain UX-2.2' those of a finding.
            """
    )

    @Argument(help: "The word, as scenario files write it.")
    var word: String

    @Option(help: ArgumentHelp("The folder of the catalogue, where it is not the binary's own.", valueName: "dir"))
    var catalogue: String?

    @Option(
        help: ArgumentHelp("Where to look for expectations that cover a row; else in Scenarios.", valueName: "path")
    )
    var scenarios: String?

    func run() async throws {
        try await finish {
            Terminal.print(try Suite.explain(word, catalogue: catalogue, scenarios: scenarios))
            return .passed
        }
    }
}
