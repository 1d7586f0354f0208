import ArgumentParser
import Reports
import Squall
import SquallCore

struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Show what has changed between two reports of a suite.",
        discussion: """
            Cases are matched by file, name in a 'with' table, and world. Where both reports have the trace of a case, \
            the first event in which they differ is shown. A report keeps no traces of passing runs: those of simulated \
            runs are played again, if their files are here and the run is still the same; for others, \
            'squall run --traces all' keeps them.

            exit status: 0 nothing is newly failing; 1 a case fails that did not fail before, or is new and fails; 2 \
            none of these, but a case is newly inconclusive; 64 usage error; 65 one of the two is no report, or they \
            are different parts of a suite
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(help: "The earlier report: the folder of 'squall run --report', or its results.json.")
    var old: String

    @Argument(help: "The later report.")
    var new: String

    @Option(help: "The format of the result on standard output: text or json.")
    var format: Format = .text

    @Option(
        help: ArgumentHelp(
            "A folder for index.html, a page with both runs of each changed case side by side.",
            valueName: "dir"
        )
    )
    var report: String?

    @Flag(name: .shortAndLong, help: "List every case that has changed.")
    var verbose = false

    func run() async throws {
        try await finish {
            if let report, let input = [old, new].first(where: { ReportFolder.isSame($0, report) }) {
                throw SquallError.usage("--report is '\(input)', which is compared; name another folder")
            }
            let comparison = await ReportComparison.withReplays(try ReportComparison.between(old, new))
            if let report { _ = try ReportFolder(path: report) }
            var printer = ResultPrinter(printing: rendered(comparison))
            if let report {
                let isWritten = printer.attempt { () throws(SquallError) in
                    try ReportFolder(path: report).write(comparison, old: old, new: new)
                }
                if isWritten, format == .text { printer.add("report: \(report)/index.html") }
            }
            return printer.ending(comparison.exitStatus)
        }
    }

    private func rendered(_ comparison: SuiteComparison) -> String {
        switch format {
        case .text:
            ComparisonText(
                colour: Terminal.colour,
                width: Terminal.width,
                verbose: verbose
            ).render(comparison, old: old, new: new)
        case .json:
            String(
                decoding: ComparisonJSON.render(comparison, old: old, new: new).encodePretty(),
                as: UTF8.self
            )
        }
    }
}
