import ArgumentParser
import Reports
import ScenarioModel
import Squall
import SquallCore

struct MergeReportsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge the reports of the parts of a suite.",
        discussion: """
            Each part is the folder of a 'squall run --shard i/n --report DIR', or its results.json. The merged report has the runs of all \
            parts, in the order of the suite. Parts that are missing, that are given twice, or that were played by \
            another version, with another seed, client or selection of cases are refused. The parts of \
            a coverage measurement are merged by 'squall coverage --merge'.

            exit status: as of 'squall run' for the whole suite; 65 if the reports are not the parts of one suite
            """
    )

    @Argument(help: ArgumentHelp("The reports of all parts.", valueName: "dir"))
    var parts: [String]

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "A folder for index.html, results.json, junit.xml and a trace of each run.",
            valueName: "dir"
        )
    )
    var output: String?

    @Option(help: ArgumentHelp("A JUnit XML file to write the results to.", valueName: "file"))
    var junit: String?

    @Option(help: "The format of the results on standard output: text, json, jsonl (the summary alone) or github.")
    var format: RunCommand.Format = .text

    @Flag(name: .shortAndLong, help: "Print a separate line for every case of a large suite.")
    var verbose = false

    func run() async throws {
        try await finish {
            if let output, let part = parts.first(where: { ReportFolder.isSame($0, output) }) {
                throw SquallError.usage("--output is '\(part)', which is one of the parts; name another folder")
            }
            let suite = try SuiteParts.merge(parts, command: CommandLine.arguments)
            var destinations = RunOutput(format: format, junit: junit, report: output)
            destinations.isVerbose = verbose
            try destinations.prepare()
            return destinations.write(suite)
        }
    }
}
