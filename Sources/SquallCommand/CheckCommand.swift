import ArgumentParser
import ScenarioModel
import Squall
import SquallCore
import TemporalLogic

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report every mistake in scenario files; with --prove, also every expectation that cannot fail."
    )

    @Argument(help: "Scenario files, or folders that are searched for them.")
    var paths: [String] = ["Scenarios"]

    @Flag(help: "Change the trace of each passing run in many ways and report expectations that no change makes fail.")
    var prove = false

    @Flag(help: "Play each case in sim under 32 perturbed schedules and report those whose verdict varies.")
    var races = false

    @Option(
        help: ArgumentHelp(
            """
            With --races: a folder for two traces of each racy case, one of each verdict, to compare with squall \
            trace diff.
            """,
            valueName: "dir"
        )
    )
    var traces: String?

    @Option(help: "The seed of every random decision. The same seed repeats a run exactly in sim.")
    var seed: UInt64 = 1

    @Option(help: "The name or the file of a profile that replaces the one each scenario names.")
    var profile: String?

    @Flag(help: "Print the JSON Schema of scenario files, for editors, and check nothing.")
    var schema = false

    @Option(
        help: ArgumentHelp(
            "The folder of the catalogue whose rows 'covers:' names. (default: the one next to the binary)",
            valueName: "dir"
        )
    )
    var catalogue: String?

    func validate() throws {
        if traces != nil, !races { throw ValidationError("--traces needs --races") }
    }

    func run() async throws {
        try await finish {
            if schema {
                Terminal.print(String(decoding: Suite.schema.encodePretty(), as: UTF8.self))
                return .passed
            }
            let catalogue = try CatalogueFiles.loadIfPresent(catalogue)
            let scenarios = try Suite.load(SuiteSelection(paths: paths, profile: profile, catalogue: catalogue))
            if catalogue == nil, scenarios.contains(where: { $0.expectations.contains { !$0.covers.isEmpty } }) {
                Terminal.printError(
                    "squall: no catalogue next to this binary: the rows that 'covers:' names are not checked"
                )
            }
            var findings = ScenarioAudit.findings(of: scenarios)
            if prove || races {
                let (seed, prove, races, traces) = (Seed(seed), prove, races, traces)
                if let traces { _ = try ReportFolder(path: traces) }
                findings += try await Interruption.cancels {
                    var findings: [String] = []
                    for (index, scenario) in scenarios.enumerated() {
                        ProgressLog.show(
                            "\((index + 1).grouped) of \(scenarios.count.grouped)  \(scenario.name)",
                            logged: "checked \(index.grouped) of \(scenarios.count.grouped) cases"
                        )
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
                    Terminal.printError(
                        """
                        squall: \(elsewhere) of \(scenarios.count) cases \(elsewhere == 1 ? "is" : "are") not \
                        examined: they play in the live world only, and --prove and --races need virtual time
                        """
                    )
                }
            }
            for finding in findings { Terminal.print("\(SanitizedText(finding))") }
            let files = Set(scenarios.map(\.file)).count
            let extent =
                """
                \(files.grouped) \(files == 1 ? "file" : "files"), \(scenarios.count.grouped) \
                \(scenarios.count == 1 ? "case" : "cases")
                """
            let noun = findings.count == 1 ? "problem" : "problems"
            let count = findings.isEmpty ? "no mistakes" : "\(findings.count.grouped) \(noun)"
            Terminal.print("\(extent): \(count)")
            return findings.isEmpty ? .passed : .invalidInput
        }
    }
}
