import ArgumentParser
import Reports
import ScenarioModel
import Sockets
import Squall
import SquallCore
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

    @Flag(help: "Only tell which cases would be played, and their tags.")
    var list = false

    @Option(help: "Which world plays: sim (virtual time), live (real sockets), or both, compared. Other clients: live.")
    var world: WorldChoice?

    @Option(
        help: ArgumentHelp(
            "Who is judged: 'reference' (Squall's own), 'external' (you start it), or the command of an adapter.",
            valueName: "client"
        )
    )
    var client = "reference"

    @Option(
        help: ArgumentHelp(
            "With --client external, where it finds the server, the same for every run: 192.168.1.5:9000.",
            valueName: "address:port"
        )
    )
    var listen: ListenAddress?

    @Flag(help: "The command of --client speaks no adapter protocol: it is judged from the wire alone.")
    var wireOnly = false

    @Option(
        help: ArgumentHelp(
            "The failures of this client that are known, with reasons: others fail, and so does one that passes.",
            valueName: "file"
        )
    )
    var knownFailures: String?

    @Flag(help: "Rewrite the file of known failures as these runs have it; reasons are kept.")
    var fix = false

    @Option(help: "Play under this profile instead of the scenario's own: a name, or the path of a file.")
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

    @Flag(help: "Stop at the first run that fails, and is not known to.")
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

    @Flag(help: "Leave the packets of each run beside its trace in the report, for Wireshark.")
    var pcap = false

    @Option(help: ArgumentHelp("Write a JUnit file.", valueName: "file"))
    var junit: String?

    @Option(help: "How results are printed.")
    var format: Format = .text

    func validate() throws {
        guard times >= 1 else { throw ValidationError("--repeat is at least 1, not \(times)") }
        guard times <= SuiteOptions.mostTimes else {
            throw ValidationError("--repeat is at most \(SuiteOptions.mostTimes), not \(times)")
        }
        if let jobs, jobs < 1 { throw ValidationError("--jobs is at least 1, not \(jobs)") }
        if pcap, report == nil { throw ValidationError("--pcap goes with --report DIR: the captures lie there") }
        if fix, knownFailures == nil { throw ValidationError("--fix goes with --known-failures FILE") }
        if client.allSatisfy(\.isWhitespace) { throw ValidationError("--client names no command") }
        if wireOnly, choice.command == nil {
            throw ValidationError("--wire-only goes with a command: --client 'COMMAND' --wire-only")
        }
        if listen != nil, choice != .external { throw ValidationError("--listen goes with --client external") }
        if listen != nil, pcap {
            throw ValidationError("--pcap sees the address that each run has for itself: it does not go with --listen")
        }
        guard choice != .reference else { return }
        if let world, world != .live {
            throw ValidationError(
                "--world \(world.rawValue): virtual time is Squall's own client's; another client has a clock of its own and is "
                    + "played in the live world, at wall time: --world live, or no --world"
            )
        }
    }

    func run() async throws {
        ProcessFacts.raiseDescriptorLimit()
        try await finish { try await perform() }
    }

    private var choice: ClientChoice {
        switch client {
        case "reference": .reference
        case "external": .external
        default: wireOnly ? .wireOnly(client) : .adapter(client)
        }
    }

    private func play(_ scenarios: [Scenario], _ options: SuiteOptions) async throws -> SuiteResult {
        if let shard, scenarios.isEmpty {
            Terminal.complain(
                "squall: part \(shard.index) of \(shard.count) holds no scenario: there are fewer scenarios than parts"
            )
            return SuiteResult(cases: [], wall: .zero, isEmptyPart: true)
        }
        if options.worlds.contains(.live) { FilterNotice.emit() }
        return try await Interruption.cancels {
            try await Suite.play(scenarios, options) { step in
                Terminal.progress("\(step.done) of \(step.total)  \(step.title)")
            }
        }
    }

    private func perform() async throws -> ExitStatus {
        let selection = SuiteSelection(
            paths: paths,
            profile: profile,
            tags: tags,
            covers: covers,
            cases: cases,
            shard: shard
        )
        var output = RunOutput(format: format, junit: junit, report: report)
        let all: [Scenario]
        do throws(SquallError) {
            all = try Suite.loadAll(selection)
        } catch {
            guard error.isOfScenarios else { throw error }
            // A list leaves no files.
            if list { (output.junit, output.report) = (nil, nil) }
            return output.write(mistakes: error)
        }
        let scenarios = try Suite.chosen(of: all, selection)
        guard !list else {
            Terminal.print(SuiteListing.text(of: scenarios))
            return .passed
        }
        var options = SuiteOptions()
        options.client = choice
        options.wireOf = profile
        options.listenAddress = listen?.place
        options.worlds = choice == .reference ? (world ?? .both).worlds : [.live]
        options.announce = { Terminal.complain($0) }
        options.seed = Seed(seed)
        options.times = times
        options.untilFail = untilFail
        options.keepsTraces = report != nil
        options.captures = pcap
        options.defects = defects
        if let jobs { options.jobs = jobs }
        try output.prepare()
        let known = try knownFailures.map { try KnownFailureFile.read($0, toBeMended: fix) }
        options.known = fix ? nil : known
        var result = try await play(scenarios, options)
        if let known {
            let stale = known.stale(after: result, of: all) { KnownFailureFile.isThere($0, of: known) }
            let mended = fix ? known.fixed(after: result).without(stale) : known
            // A list that stays as it is, since not all was played, excuses what it has and no more.
            result = (result.brokenOffBy == nil ? mended : known).applied(to: result)
            if !fix { result = known.failing(result, for: stale) }
            if fix { output.mended = mended }
        }
        return output.write(result)
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

extension Shard: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
