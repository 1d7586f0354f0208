import ArgumentParser
import Foundations
import Reports
import ScenarioModel
import Squall
import TemporalLogic

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Play scenarios and judge what the client showed."
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, github
    }

    @Argument(help: "Scenario files, or folders to look for them in.")
    var paths: [String] = ["Scenarios"]

    @Option(help: "Which world plays: sim (virtual time), live (real sockets), or both, compared.")
    var world: WorldChoice = .both

    @Option(help: "Who is judged: 'reference' is Squall's own client.")
    var client = "reference"

    @Option(help: "Play under this profile instead of the scenario's own.")
    var profile: String?

    @Option(
        name: .customLong("defect"),
        help: ArgumentHelp("Break the client or the server in this known way.", valueName: "name")
    )
    var defects: [String] = []

    @Option(help: "Where all chance comes from.")
    var seed: UInt64 = 1

    @Option(name: .customLong("repeat"), help: "Play each case this many times, with seeds that follow the first.")
    var times: Int = 1

    @Flag(help: "Stop at the first run that does not pass.")
    var untilFail = false

    @Option(help: ArgumentHelp("How many runs at once.", discussion: "", valueName: "n"))
    var jobs: Int?

    @Option(help: ArgumentHelp("Only the i-th of n parts of the suite, from 1.", valueName: "i/n"))
    var shard: Shard?

    @Option(name: .customLong("tag"), help: "Only scenarios with this tag; may be repeated.")
    var tags: [String] = []

    @Option(
        name: .customLong("covers"),
        help: ArgumentHelp("Only scenarios that cover this row; may be repeated.", valueName: "id")
    )
    var covers: [String] = []

    @Option(
        name: .customLong("case"),
        help: ArgumentHelp("Only this case of a 'with' table; may be repeated.", valueName: "name")
    )
    var cases: [String] = []

    @Option(help: ArgumentHelp("Write results.json, junit.xml and a trace for each run there.", valueName: "dir"))
    var report: String?

    @Option(help: ArgumentHelp("Write a JUnit file.", valueName: "file"))
    var junit: String?

    @Option(help: "How results are printed.")
    var format: Format = .text

    func validate() throws {
        guard times >= 1 else { throw ValidationError("--repeat is at least 1, not \(times)") }
        if let jobs, jobs < 1 { throw ValidationError("--jobs is at least 1, not \(jobs)") }
        guard client == "reference" else {
            throw ValidationError(
                "--client '\(client)': this version judges Squall's own client only: --client reference"
            )
        }
    }

    func run() async throws {
        let code = await perform()
        if code != 0 { throw ExitCode(code) }
    }

    private func perform() async -> Int32 {
        await reportingErrors {
            let selection = SuiteSelection(
                paths: paths,
                profile: profile,
                tags: tags,
                covers: covers,
                cases: cases,
                part: shard?.part
            )
            let scenarios = try Suite.load(selection)
            var options = SuiteOptions()
            options.worlds = world.worlds
            options.seed = Seed(seed)
            options.times = times
            options.untilFail = untilFail
            options.keepsTraces = report != nil
            options.defects = defects
            if let jobs { options.jobs = jobs }
            let reports = try report.map { try ReportFolder(path: $0) }
            let result = try await Interruption.cancels { [options] in
                try await Suite.play(scenarios, options) { step in
                    Terminal.progress("\(step.done) of \(step.total)  \(step.title)")
                }
            }
            Terminal.progress("")
            try reports?.write(result)
            if let junit { try ReportFolder.write(JUnitReport.render(result), to: junit) }
            switch format {
            case .text: Terminal.print(TerminalReport(colour: Terminal.colour).render(result))
            case .json: Terminal.print(String(decoding: ResultsJSON.render(result).encodePretty(), as: UTF8.self))
            case .github: Terminal.print(GitHubReport.render(result))
            }
            return result.exitStatus
        }
    }
}

enum WorldChoice: String, ExpressibleByArgument, CaseIterable {
    case sim, live, both

    var worlds: [World] {
        switch self {
        case .sim: [.sim]
        case .live: [.live]
        case .both: [.sim, .live]
        }
    }
}

/// `--shard i/n`.
struct Shard: ExpressibleByArgument {
    let part: SuiteSelection.Part

    init?(argument: String) {
        let numbers = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let index = numbers[0], let count = numbers[1], count >= 1, 1...count ~= index else {
            return nil
        }
        part = SuiteSelection.Part(index: index, count: count)
    }

    static var defaultCompletionKind: CompletionKind { .default }
}
