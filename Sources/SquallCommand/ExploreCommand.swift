import ArgumentParser
import Exploration
import ScenarioModel
import Sockets
import Squall
import SquallCore

struct ExploreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explore",
        abstract: "Play random scenarios, and write each that breaks a standing invariant as a small scenario file.",
        discussion: """
            Each run is a storm of random actions and faults, and then a calm in which everything is healed and no \
            client is touched. Run r depends on the seed and r alone. A failing scenario is shrunk as far as \
            possible while it fails with the same cause.

            exit status: 0 nothing found, 1 found something, 64 usage error, 65 invalid scenario file, 70 Squall \
            itself failed, 130 interrupted (what was found until then is kept)
            """,
        subcommands: [
            PlayCommand.self, ExploreCompareCommand.self, ShrinkCommand.self, MergeCommand.self,
            ExploreBenchCommand.self,
        ],
        defaultSubcommand: PlayCommand.self
    )
}

/// Runs random scenarios; the default subcommand of `squall explore`.
struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play random scenarios. This is what 'squall explore' does without a command's name."
    )

    @Option(help: "The seed of the exploration. The same seed draws the same runs.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("How many runs to play. (default: 1000)", valueName: "n"))
    var runs: Int?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long to play, such as 10m.", valueName: "span"),
        transform: PositiveTime.init
    )
    var span: PositiveTime?

    @Option(
        help: ArgumentHelp("Play until this many runs in a row have found nothing new.", valueName: "n")
    )
    var untilDry: Int?

    @Flag(help: "Stop at the first finding.")
    var untilFail = false

    @Flag(help: "Also list the actions and faults that no run has played, and the events that never happened.")
    var unmet = false

    @Option(
        help: ArgumentHelp(
            "The client to judge: 'reference' (Squall's own), or the command of an adapter, played live at wall time.",
            valueName: "client"
        )
    )
    var client = "reference"

    @Option(
        name: .customLong("defect"),
        help: ArgumentHelp(
            "Plant this defect and ignore failures that occur without it as well. May be repeated.",
            valueName: "name"
        )
    )
    var defects: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Play each run with this client, too, 'reference' or the command of an adapter, and report what the two end \
            with, show, ask for and do differently.
            """,
            valueName: "client"
        )
    )
    var against: String?

    @Option(
        name: .customLong("profile"),
        help: ArgumentHelp(
            "Draw from this built-in profile. May be repeated; 'protocols' is those of libraries' protocols in which a "
                + "client can notice a dead connection. (default: all that are not of a library's protocol)",
            valueName: "name"
        )
    )
    var profiles: [String] = []

    @Option(
        help: """
            The world to play in: sim (virtual time), or both, which also plays each run over real sockets and \
            compares the two.
            """
    )
    var world = ExploredWorld.sim

    @Option(
        help: ArgumentHelp(
            """
            Play only part i of n of the runs, and write what they have shown as part-i-of-n.json for squall explore \
            merge; 'auto' or 'auto/n' takes the part from the variables of the CI system or scheduler, as for squall run.
            """,
            valueName: "i/n"
        )
    )
    var shard: ShardChoice?

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            """
            Play variations of these scenarios, and of random runs that have shown something new, as every second run. \
            A file or a folder; may be repeated.
            """,
            valueName: "path"
        )
    )
    var starts: [String] = []

    @Option(
        help: ArgumentHelp(
            "Like --from with this folder, in which the runs that have shown something new are kept as scenarios.",
            valueName: "dir"
        )
    )
    var corpus: String?

    @Flag(
        help: """
            Play each scenario of --from with each fault at the time of each of its events, and then with two faults at \
            random times.
            """
    )
    var sweep = false

    @Option(help: ArgumentHelp("How many runs to play at once. (default: one per processor)", valueName: "n"))
    var jobs: Int?

    @Option(help: ArgumentHelp("The folder for the scenarios that fail.", valueName: "dir"))
    var out = "found"

    func validate() throws {
        if [runs != nil, span != nil, untilDry != nil].count(where: \.self) > 1 {
            throw ValidationError("--runs, --for and --until-dry exclude each other")
        }
        for (name, value) in [("--runs", runs), ("--until-dry", untilDry), ("--jobs", jobs)] {
            if let value, value < 1 { throw ValidationError("\(name) must be at least 1, not \(value)") }
        }
        if shard != nil, runs == nil { throw ValidationError("--shard needs --runs N, the number of all runs") }
        if shard != nil, untilFail { throw ValidationError("--until-fail needs the runs in order; leave --shard out") }
        if world == .both, client != "reference" {
            throw ValidationError("--world both: only Squall's own client plays in both worlds")
        }
        if shard != nil, client != "reference" || world == .both {
            throw ValidationError(
                "--shard: parts are played only in virtual time, where they give the same result everywhere"
            )
        }
        if sweep, starts.isEmpty { throw ValidationError("--sweep needs the scenarios: --from PATH") }
        if shard != nil, !starts.isEmpty || corpus != nil {
            throw ValidationError(
                "--shard: with --from or --corpus, a run depends on earlier runs, which another part may have played"
            )
        }
        if let against { try ComparedClient.validate(against, client: client, defects: defects) }
        if shard != nil || world == .both, against != nil {
            throw ValidationError("--against compares two clients, which --shard and --world both do not")
        }
        if client.allSatisfy(\.isWhitespace) { throw ValidationError("--client is blank; name a command") }
        if client == "external" || client == AppChoice.word {
            throw ValidationError("--client \(client): a client is started for every run; name its command")
        }
    }

    func run() async throws {
        ProcessFacts.raiseDescriptorLimit()
        try await finish { try await perform() }
    }

    private var options: ExploreOptions {
        var options = ExploreOptions()
        options.seed = Seed(seed)
        if sweep { options.limit = .sweep }
        if let runs { options.limit = .runs(runs) }
        if let span { options.limit = .time(span.span) }
        if let untilDry { options.limit = .dry(untilDry) }
        options.untilFail = untilFail
        if client != "reference" { options.client = .adapter(client) }
        options.comparedClient = against.map(ComparedClient.choice)
        options.defects = defects
        options.profiles = profiles
        (options.starts, options.corpus, options.isSweep) = (starts, corpus, sweep)
        if let jobs { options.jobs = jobs }
        options.folder = out
        options.isInBothWorlds = world == .both
        options.announce = { Terminal.printError($0) }
        return options
    }

    private func perform() async throws -> ExitStatus {
        let options = options
        if let shard { return try await play(shard.shard(Terminal.environment), options) }
        let result = try await Interruption.cancels {
            let explorer = try Explorer(options) { ProgressLog.show($0.line) }
            return try await explorer.explore()
        }
        return ExplorePrinter.print(result, listsUnmet: unmet)
    }

    /// Executes one shard of the runs. The exit status is 0 even if runs failed, because schedulers would otherwise
    /// repeat the job.
    private func play(_ shard: Shard, _ options: ExploreOptions) async throws -> ExitStatus {
        let path = "\(out)/part-\(shard.index)-of-\(shard.count).json"
        _ = try ReportFolder(path: out)
        let part = try await Interruption.cancels {
            let explorer = try Explorer(options) { ProgressLog.show($0.line) }
            return try await explorer.part(shard)
        }
        try WholeFile.write(part.json.encode() + [UInt8(ascii: "\n")], to: path)
        Terminal.progress("")
        Terminal.print("\(path): \(part.failures.count) runs failed, \(part.features.count) features seen")
        return .passed
    }
}

enum ExploredWorld: String, ExpressibleByArgument, CaseIterable {
    case sim, both
}
