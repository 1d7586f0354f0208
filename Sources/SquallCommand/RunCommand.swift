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
        abstract: "Play scenarios and judge the client by what it showed."
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, jsonl, github
    }

    @OptionGroup var selected: RunSelection
    @OptionGroup var limits: RunLimits

    @Flag(help: "List the cases that would be played, with their tags, and play nothing.")
    var list = false

    @Option(
        help: """
            The world to play in: sim (virtual time), live (real sockets), or both, whose results are compared. \
            (default: both; live for a client other than Squall's own)
            """
    )
    var world: WorldChoice?

    @Option(
        help: ArgumentHelp(
            """
            The client to judge: 'reference' (Squall's own), the command of an adapter, 'http' (an app that polls \
            Squall for its commands), or 'external' (you start it, and it is judged from the wire alone).
            """,
            valueName: "client"
        )
    )
    var client = "reference"

    @Option(
        help: ArgumentHelp(
            """
            With --client http or external: the address and port of the server, such as 192.168.1.5:9000. (default: a \
            free port per run)
            """,
            valueName: "address:port"
        )
    )
    var listen: ListenOption?

    @OptionGroup var control: ControlOptions

    @OptionGroup var treatment: ClientTreatment

    @Option(
        help: ArgumentHelp(
            """
            A YAML file of known failures, with reasons. A listed case that passes, or an unlisted one that fails, \
            fails the run.
            """,
            valueName: "file"
        )
    )
    var knownFailures: String?

    @Flag(help: "Change the file of --known-failures to match these runs, keeping the reasons and comments.")
    var fix = false

    @Option(help: "The name or the file of a profile that replaces the one each scenario names.")
    var profile: String?

    @Option(
        name: .customLong("defect"),
        help: ArgumentHelp(
            "Plant this defect in Squall's client or server; 'squall explain defects' lists all. May be repeated.",
            valueName: "name"
        )
    )
    var defects: [String] = []

    @Option(help: "The seed of every random decision. The same seed repeats a run exactly in sim.")
    var seed: UInt64 = 1

    @Option(name: .customLong("repeat"), help: "How many times to play each case. The seed grows by one each time.")
    var times: Int = 1

    @Option(
        help: ArgumentHelp("How many runs to play at once. (default: one per processor, at least 2)", valueName: "n")
    )
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "A folder for index.html, results.json, junit.xml and a trace of each run.",
            valueName: "dir"
        )
    )
    var report: String?

    enum Traces: String, ExpressibleByArgument, CaseIterable {
        case failures, all
    }

    @Option(
        help: """
            The runs whose trace is saved in the report: failures (all runs that did not pass), or all. (default: \
            failures; all with --pcap, and with --shard, since squall merge draws its page from them)
            """
    )
    var traces: Traces?

    @Flag(help: "Save the packets of each run next to its trace in the report, as a pcapng file for Wireshark.")
    var pcap = false

    @Option(help: ArgumentHelp("A JUnit XML file to write the results to.", valueName: "file"))
    var junit: String?

    @Option(
        help: ArgumentHelp(
            """
            Repeat each case in virtual time with one perturbation at each step and at each change of \
            connection.state: kill, suspend, drop, blackhole, handoff, duplicate, late, a list of them, or all. A \
            run fails if it breaks an invariant or ends otherwise than the undisturbed run.
            """,
            valueName: "kinds"
        )
    )
    var perturb: PerturbationList?

    @Option(help: ArgumentHelp("With --perturb: play at most this many runs, drawn by the seed.", valueName: "n"))
    var sample: Int?

    @Option(
        help: ArgumentHelp(
            "With --perturb: the folder for the scenarios that fail. (default: found)",
            valueName: "dir"
        )
    )
    var findings: String?

    @Option(
        help: ArgumentHelp(
            """
            Hold the run at this event, such as client.connected#2 or 'fault.began[tunnel] + 2s': nothing moves until \
            you type 'step' or 'release'. Plays one case, in sim if you do not name a world.
            """,
            valueName: "event"
        )
    )
    var holdAt: String?

    @Option(
        help: """
            The format of the results on standard output: text, json (one object at the end), jsonl (a line as soon as \
            each run is judged, and a summary) or github (annotations).
            """
    )
    var format: Format = .text

    @Flag(name: .shortAndLong, help: "Print a separate line for every case of a large suite.")
    var verbose = false

    func validate() throws {
        guard times >= 1 else { throw ValidationError("--repeat must be at least 1, not \(times)") }
        guard times <= SuiteOptions.maximumRepetitions else {
            throw ValidationError("--repeat must be at most \(SuiteOptions.maximumRepetitions), not \(times)")
        }
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1, not \(jobs)") }
        if pcap, report == nil { throw ValidationError("--pcap needs --report DIR: the captures are written there") }
        if traces != nil, report == nil { throw ValidationError("--traces needs --report DIR: they are written there") }
        if pcap, traces == .failures { throw ValidationError("--pcap saves all runs: leave out --traces failures") }
        if fix, knownFailures == nil { throw ValidationError("--fix needs --known-failures FILE") }
        if client.allSatisfy(\.isWhitespace) { throw ValidationError("--client is blank; name a command") }
        try treatment.validate(for: choice)
        if listen != nil, !choice.isSingle { throw ValidationError("--listen needs --client http or external") }
        if let option = control.given, client != AppChoice.word {
            throw ValidationError("\(option) needs --client \(AppChoice.word)")
        }
        if listen != nil, pcap {
            throw ValidationError("--pcap cannot be used with --listen: it distinguishes runs by their addresses")
        }
        try validatePerturbing()
        try validateHolding()
        if selected.lastFailed, report == nil {
            throw ValidationError("--last-failed needs --report DIR: the earlier results are read from there")
        }
        guard choice != .reference else { return }
        if let world, world != .live {
            throw ValidationError(
                """
                --world \(world.rawValue): only Squall's own client runs in simulation; another client is played live: \
                use --world live, or leave --world out
                """
            )
        }
    }

    func run() async throws {
        ProcessFacts.raiseDescriptorLimit()
        // Loading a large suite takes seconds. A signal in this time must not end Squall without a result.
        _ = Interruption.install()
        try await finish { try await perform() }
    }

    var choice: ClientChoice {
        switch client {
        case "reference": .reference
        case "external": .external(isAttended: treatment.byHand)
        case AppChoice.word: .app(control.choice)
        default: treatment.wireOnly ? .wireOnly(client) : .adapter(client)
        }
    }

    private func play(_ scenarios: [Scenario], _ options: SuiteOptions) async throws -> SuiteResult {
        if scenarios.isEmpty { return SuiteResult(cases: [], wall: .zero, isEmptyPart: true) }
        if options.worlds.contains(.live) { FilterNotice.emit() }
        return try await ProgressLog.whilePlaying {
            try await Interruption.cancels {
                try await Suite.play(scenarios, options) { step in
                    ProgressLog.show(step)
                }
            }
        }
    }

    /// Returns the results of earlier runs in the report's folder; empty if there is no report.
    private func lastResults() throws(SquallError) -> LastResults {
        guard let report else { return LastResults() }
        let client = TestedClient(choice, profile: profile, defects: defects)
        if selected.lastFailed { return try LastResults(report: report, of: client) }
        // A time budget does not require earlier results, and there are none before the first report, so any error is
        // taken to mean that there are none.
        return (try? LastResults(report: report, of: client)) ?? LastResults()
    }

    private func suiteOptions(_ last: LastResults) -> SuiteOptions {
        var options = SuiteOptions()
        options.client = choice
        options.usesWallClock = treatment.wallClock
        options.converges = treatment.converge
        options.wireOf = profile
        options.listenAddress = listen?.place
        options.worlds = choice == .reference ? (world ?? (holdAt == nil ? .both : .sim)).worlds : [.live]
        options.announce = { Terminal.printError($0) }
        options.seed = Seed(seed)
        options.times = times
        limits.apply(to: &options)
        options.last = last
        if format == .jsonl { options.finished = { Terminal.print(ResultsJSON.line(of: $0)) } }
        options.captures = pcap
        options.defects = defects
        if let jobs { options.jobs = jobs }
        return options
    }

    private func origin(
        of scenarios: [Scenario],
        _ selection: SuiteSelection,
        _ options: SuiteOptions
    ) throws -> SuiteOrigin {
        try Suite.origin(
            of: scenarios,
            selection,
            options,
            command: CommandLine.arguments,
            variable: Terminal.environment
        )
    }

    /// Returns the result of a suite without cases, for merging with the results from other machines.
    private func nothing(_ selection: SuiteSelection, _ last: LastResults) throws -> SuiteResult {
        var result = SuiteResult(cases: [], wall: .zero, isEmptyPart: true)
        result.origin = try origin(of: [], selection, suiteOptions(last))
        return result
    }

    private func perform() async throws -> ExitStatus {
        try Suite.check(defects: defects, of: choice)
        let last = try lastResults()
        var selection = try selected.selection(profile: profile)
        if selected.lastFailed { selection.only = last.failed }
        var output = RunOutput(format: format, junit: junit, report: report)
        output.isVerbose = verbose
        output.earlier = last.failures
        if let reason = selected.emptiness(of: selection) {
            output.keepReport(if: selected.lastFailed && selection.shard == nil)
            Terminal.printError("squall: \(reason)")
            return list ? .passed : output.write(try nothing(selection, last))
        }
        let all: [Scenario]
        do throws(SquallError) {
            all = try Suite.loadAll(selection)
        } catch {
            guard error.isOfScenarios else { throw error }
            // `--list` writes no files.
            if list { (output.junit, output.report) = (nil, nil) }
            return output.write(unplayed: error)
        }
        output.earlier = last.failures(among: all)
        if let reason = selected.emptiness(of: selection, among: all) {
            output.keepReport(if: selection.shard == nil)
            Terminal.printError("squall: \(reason)")
            return list ? .passed : output.write(try nothing(selection, last))
        }
        let scenarios = try Suite.chosen(of: all, selection)
        guard !list else {
            switch format {
            case .json:
                Terminal.print(String(decoding: SuiteListing.json(of: scenarios).encodePretty(), as: UTF8.self))
            case .jsonl: Terminal.print(SuiteListing.jsonLines(of: scenarios))
            case .text, .github: Terminal.print(SuiteListing.text(of: scenarios))
            }
            return .passed
        }
        if let shard = selection.shard, scenarios.isEmpty {
            Terminal.printError(
                "squall: part \(shard.index) of \(shard.count) is empty: there are fewer scenarios than parts"
            )
        }
        if let perturb { return try await play(scenarios, perturbedBy: perturb.kinds) }
        var options = suiteOptions(last)
        // By default, the report of a shard also contains the traces of runs that passed, because the page of the
        // merged report is generated from the traces.
        let isWhole = pcap || traces == .all
        output.tracesOfPasses = isWhole || traces == nil && selection.shard != nil
        options.tracesOfPasses = report == nil ? .none : isWhole ? .all : .firstRound
        let origin = try origin(of: all, selection, options)
        try output.prepare()
        let known = try knownFailures.map { try KnownFailureFile.read($0, willBeUpdated: fix) }
        options.known = fix ? nil : known
        let console = try hold(scenarios, &options)
        defer { console?.close() }
        var result: SuiteResult
        do {
            result = try await play(scenarios, options)
        } catch let error as SquallError where error.isOfClient {
            return output.write(unplayed: error)
        }
        console?.close()
        noteHold(console, result)
        result.origin = origin
        if let known {
            let stale = known.stale(after: result, of: all) { KnownFailureFile.isThere($0, of: known) }
            let updated = fix ? known.fixed(after: result).without(stale) : known
            // An incomplete run does not rewrite the list of known failures, so the result is evaluated with the old
            // list.
            result = (result.stopReason == nil ? updated : known).applied(to: result)
            if !fix { result = known.failing(result, for: stale) }
            if fix { output.updated = updated }
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

extension ShardChoice: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
