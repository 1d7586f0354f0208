import ArgumentParser
import ScenarioModel
import Squall
import SquallCore

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Read scenario files and tell every mistake; with --prove, that each expectation can fail."
    )

    @Argument(help: "Scenario files, or folders to look for them in.")
    var paths: [String] = ["Scenarios"]

    @Flag(help: "Change each passing trace until the expectation fails; one that no change can flip proves nothing.")
    var prove = false

    @Flag(help: "Play each case under 32 shifted schedules; one whose verdict varies is racy.")
    var races = false

    @Option(
        help: ArgumentHelp(
            "With --races: leave two traces of each racy case there, one of either verdict, for squall trace diff.",
            valueName: "dir"
        )
    )
    var traces: String?

    @Option(help: "Where all chance comes from.")
    var seed: UInt64 = 1

    @Option(help: "Read them under this profile instead of their own: a name, or the path of a file.")
    var profile: String?

    @Flag(help: "Print the JSON Schema of scenario files, for editors, and nothing else.")
    var schema = false

    @Option(help: ArgumentHelp("The folder of the catalogue that 'covers:' names rows of.", valueName: "dir"))
    var catalogue: String?

    func validate() throws {
        if traces != nil, !races { throw ValidationError("--traces goes with --races") }
    }

    func run() async throws {
        try await finish {
            if schema {
                Terminal.print(String(decoding: Suite.schema.encodePretty(), as: UTF8.self))
                return .passed
            }
            let catalogue = try CatalogueFiles.loadIfPresent(catalogue)
            if catalogue == nil {
                Terminal.complain("squall: no catalogue beside this binary: rows of 'covers:' are not looked up")
            }
            let scenarios = try Suite.load(SuiteSelection(paths: paths, profile: profile, catalogue: catalogue))
            var findings: [String] = []
            if prove || races {
                let (seed, prove, races, traces) = (Seed(seed), prove, races, traces)
                if let traces { _ = try ReportFolder(path: traces) }
                findings = try await Interruption.cancels {
                    var findings: [String] = []
                    for (index, scenario) in scenarios.enumerated() {
                        Terminal.progress("\(index + 1) of \(scenarios.count)  \(scenario.name)")
                        try Task.checkCancellation()
                        findings += try ScenarioAudit.findings(
                            of: scenario,
                            seed: seed,
                            prove: prove,
                            races: races,
                            traces: traces
                        )
                    }
                    return findings
                }
                Terminal.progress("")
                let elsewhere = scenarios.count { !$0.allows(.sim) }
                if elsewhere > 0 {
                    Terminal.complain(
                        "squall: \(elsewhere) of \(scenarios.count) cases \(elsewhere == 1 ? "is" : "are") for the live world alone: "
                            + "there is no run in virtual time to examine"
                    )
                }
            }
            for finding in findings { Terminal.print("\(ShownText(finding))") }
            let files = Set(scenarios.map(\.file)).count
            let extent =
                "\(files) \(files == 1 ? "file" : "files"), \(scenarios.count) \(scenarios.count == 1 ? "case" : "cases")"
            Terminal.print(findings.isEmpty ? "\(extent): no mistakes" : "\(extent): \(findings.count) found wanting")
            return findings.isEmpty ? .passed : .invalidInput
        }
    }
}
