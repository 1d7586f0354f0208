import ArgumentParser
import Sockets
import Squall
import SquallCore

struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge the parts of an exploration, and shrink their findings.",
        discussion: """
            The result is the same, byte for byte, for any number of parts, and the same as that of an exploration \
            without parts.

            exit status: 0 nothing found, 1 found something, 64 usage error, 65 a part is missing or of another \
            exploration, 70 Squall itself failed, 130 interrupted
            """
    )

    @Argument(help: "The files that squall explore --shard has written, all of them.")
    var parts: [String]

    @Option(help: ArgumentHelp("The folder for the scenarios that fail.", valueName: "dir"))
    var out = "found"

    @Option(help: ArgumentHelp("How many runs to play at once. (default: one per processor)", valueName: "n"))
    var jobs: Int?

    func run() async throws {
        ProcessFacts.raiseDescriptorLimit()
        try await finish {
            let (files, out, jobs) = (parts, out, jobs)
            let result = try await Interruption.cancels {
                try await ExploredParts.merge(files, folder: out, jobs: jobs) { ProgressLog.show($0.line) }
            }
            return ExplorePrinter.print(result)
        }
    }
}
