import ArgumentParser
import Squall
import SquallCore

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Document a word: an observable, event, action, fault, profile value, invariant, row or defect.",
        discussion: """
            'squall explain observables', 'events', 'actions', 'profile' and 'defects' list all words of a kind. \
            'squall explain UX-' lists the rows of an audit, 'squall explain UX-2.2' the rows of a finding.
            """
    )

    @Argument(help: "The word, as scenario files write it.")
    var word: String

    @Option(help: ArgumentHelp("The folder of the catalogue. (default: the one next to the binary)", valueName: "dir"))
    var catalogue: String?

    @Option(
        help: ArgumentHelp(
            "Scenario files or a folder, searched for expectations that cover a row. (default: Scenarios)",
            valueName: "path"
        )
    )
    var scenarios: String?

    func run() async throws {
        try await finish {
            Terminal.print(try Suite.explain(word, catalogue: catalogue, scenarios: scenarios))
            return .passed
        }
    }
}
