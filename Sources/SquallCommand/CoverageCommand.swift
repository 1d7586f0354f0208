import ArgumentParser
import Reports
import ScenarioModel
import Squall
import SquallCore

struct CoverageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage",
        abstract: "Measure which audit rows the scenarios prove, which defects they catch, and what is missing.",
        discussion: """
            A row is proven when the expectations that cover it pass in both worlds, when each planted defect of the \
            row makes one of them fail, and when those that fail with some planted defect check the row's own numbers \
            and texts. A row that names a unit test needs its result as well: --tests FILE.

            To divide the work among machines, let each measure a part, --shard 2/5 --out FILE, and then judge all of \
            them: squall coverage --merge FILE...

            exit status: 0 measured, and nothing lost against the baseline; 1 something was lost
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown
    }

    @Argument(help: "Scenario files, or folders that are searched for them; with --merge, the parts.")
    var paths: [String] = Self.defaultPaths

    private static let defaultPaths = ["Scenarios"]

    @Option(help: "The format of the result: text, json or markdown.")
    var format: Format = .text

    @Flag(help: "Print only the summary line, and what was lost against the baseline.")
    var brief = false

    @Option(
        name: .customLong("rows"),
        help: ArgumentHelp(
            "Measure only these rows: ids or prefixes with a *, separated by commas. (default: all)",
            valueName: "WS-1*"
        )
    )
    var rows: [String] = []

    @Option(
        name: .customLong("area"),
        help: ArgumentHelp("Measure only rows of this area of an audit. May be repeated.", valueName: "name")
    )
    var areas: [String] = []

    @Option(
        help: ArgumentHelp(
            "Play only part i of n of the suite, counted from 1, and write what it showed to --out.",
            valueName: "i/n"
        )
    )
    var shard: ShardChoice?

    @Option(help: ArgumentHelp("The file for the part that --shard measures.", valueName: "file"))
    var out: String?

    @Flag(help: "Judge the parts that --shard has written, all of them, instead of playing scenarios.")
    var merge = false

    @Option(help: "The world to play in: sim, live, or both. Only a pass in both worlds proves a row.")
    var world: WorldChoice = .both

    @Flag(help: "Try a defect that no scenario of its rows catches on all other scenarios, until one catches it.")
    var full = false

    @Option(
        help: ArgumentHelp("A file of proven rows and killed defects; fail if any of them was lost.", valueName: "file")
    )
    var baseline: String?

    @Flag(help: "Write the rows proven and the defects killed by this measurement into the baseline.")
    var record = false

    @Option(
        name: .customLong("tests"),
        help: ArgumentHelp(
            """
            The results of unit tests that rows name: a file that swift test writes with --event-stream-output-path. \
            May be repeated.
            """,
            valueName: "file"
        )
    )
    var testEvents: [String] = []

    @Option(help: ArgumentHelp("The folder of the catalogue. (default: the one next to the binary)", valueName: "dir"))
    var catalogue: String?

    @Option(help: "The seed of every random decision. The same seed repeats a run exactly in sim.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp("How many runs to play at once. (default: one per processor, at least 2)", valueName: "n")
    )
    var jobs: Int?

    func validate() throws {
        if record, baseline == nil { throw ValidationError("--record needs --baseline FILE") }
        if record, world != .both {
            throw ValidationError("--record needs results of both worlds: leave --world \(world.rawValue) out")
        }
        if brief, format != .text { throw ValidationError("--brief works with --format text only") }
        try validateParts()
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1, not \(jobs)") }
    }

    func run() async throws {
        try await finish { try await perform() }
    }

    private func validateParts() throws {
        if merge, paths == Self.defaultPaths { throw ValidationError("--merge needs the files of all parts") }
        if merge, shard != nil { throw ValidationError("--shard measures a part, and --merge judges all: give one") }
        if (shard == nil) != (out == nil) { throw ValidationError("--shard and --out need each other") }
        if shard != nil, let option = judgingOption {
            throw ValidationError("a part is not judged: give \(option) to 'squall coverage --merge'")
        }
        if shard != nil, full { throw ValidationError("--full needs the whole suite: leave out --shard") }
        if merge, let option = playingOption {
            throw ValidationError("--merge plays nothing: give \(option) when you measure the parts")
        }
    }

    /// The first given option that concerns the verdict on the rows; nil if there is none.
    private var judgingOption: String? {
        if baseline != nil { return "--baseline" }
        if !testEvents.isEmpty { return "--tests" }
        if brief { return "--brief" }
        return format == .text ? nil : "--format"
    }

    /// The first given option that concerns the runs; nil if there is none.
    private var playingOption: String? {
        if !rows.isEmpty { return "--rows" }
        if !areas.isEmpty { return "--area" }
        if full { return "--full" }
        if seed != 1 { return "--seed" }
        return world == .both ? nil : "--world"
    }

    private func perform() async throws -> ExitStatus {
        let catalogue = try CatalogueFiles.load(catalogue)
        // The baseline and the test results are read before the measurement, which takes minutes, so that no time is
        // wasted if they cannot be read.
        let before = try baseline.flatMap { path in
            record ? try BaselineFile.readIfPresent(path) : try BaselineFile.read(path)
        }
        var options = CoverageOptions()
        options.unitTests = testEvents.isEmpty ? nil : try UnitTestEvents.read(testEvents)
        let evidence: CoverageEvidence
        if merge {
            let part = try CoverageParts.merge(paths)
            (options.rows, options.worlds, options.seed) = (part.rows, part.origin.worlds, part.origin.seed)
            evidence = part.evidence
        } else {
            options.rows = try selection(in: catalogue)
            options.worlds = world.worlds
            options.seed = Seed(seed)
            options.full = full
            if let jobs { options.jobs = jobs }
            let selection = SuiteSelection(
                paths: paths,
                shard: try shard.map { (shard) throws(SquallError) in try shard.shard(Terminal.environment) },
                catalogue: catalogue
            )
            guard let played = try await collectEvidence(selection, catalogue, options) else { return .interrupted }
            if let out {
                Terminal.printError("wrote \(out); 'squall coverage --merge' judges all the parts")
                return .passed
            }
            evidence = played
        }
        let result = CoveragePlayer.result(of: evidence, against: catalogue, options)
        print(result)
        return try settle(result, with: before, in: catalogue)
    }

    /// Runs the selected cases and, with `--shard`, writes this shard's part. Returns nil if interrupted.
    private func collectEvidence(
        _ selection: SuiteSelection,
        _ catalogue: Catalogue,
        _ options: CoverageOptions
    ) async throws -> CoverageEvidence? {
        let all = try Suite.loadAll(selection)
        let player = CoveragePlayer(
            try Suite.chosen(of: all, selection),
            against: catalogue,
            options,
            progress: { ProgressLog.show($0) }
        )
        guard let evidence = try await Interruption.cancels({ try await player.collectEvidence() }) else { return nil }
        Terminal.progress("")
        guard let out else { return evidence }
        var suite = SuiteOptions()
        (suite.worlds, suite.seed) = (options.worlds, options.seed)
        let origin = try Suite.origin(
            of: all,
            selection,
            suite,
            command: CommandLine.arguments,
            variable: Terminal.environment
        )
        try CoverageParts.write(CoveragePart(origin: origin, rows: options.rows, evidence: evidence), to: out)
        return evidence
    }

    /// Records the result in the baseline or compares it with the baseline, if there is one.
    private func settle(
        _ result: CoverageResult,
        with before: CoverageBaseline?,
        in catalogue: Catalogue
    ) throws -> ExitStatus {
        guard let baseline else { return .passed }
        guard record else { return compare(result, with: before ?? CoverageBaseline(result), in: catalogue) }
        if result.worlds.count < 2 {
            throw SquallError.usage("--record needs results of both worlds, and the parts have only one")
        }
        let kept = before?.unmeasured(in: result) ?? []
        try BaselineFile.write(before?.updated(by: result) ?? CoverageBaseline(result), to: baseline)
        Terminal.printError("recorded in \(baseline)")
        if !kept.isEmpty {
            Terminal.printError("kept unchanged, as it was not measured: \(kept.joined(separator: ", "))")
        }
        return .passed
    }

    private func selection(in catalogue: Catalogue) throws -> RowSelection {
        let patterns = rows.flatMap { $0.split(separator: ",").map(String.init) }
        let selection = RowSelection(patterns: patterns, areas: areas)
        for pattern in patterns where catalogue.rows(in: RowSelection(patterns: [pattern])).isEmpty {
            throw SquallError.usage("there is no row '\(pattern)'; 'squall explain WS-' lists the rows of an audit")
        }
        let known = catalogue.rows.map(\.area)
        for area in areas where !known.contains(area) {
            let names = Set(known).sorted().joined(separator: ", ")
            throw SquallError.usage("no audit has an area '\(area)'; there are: \(names)")
        }
        guard !catalogue.rows(in: selection).isEmpty else {
            throw SquallError.usage("none of these rows is in the area \(areas.joined(separator: ", "))")
        }
        return selection
    }

    private func print(_ result: CoverageResult) {
        switch format {
        case .text:
            let text = CoverageText(colour: Terminal.colour, width: Terminal.width)
            Terminal.print(brief ? text.headline(result) : text.render(result))
        case .json: Terminal.print(String(decoding: CoverageJSON.render(result).encodePretty(), as: UTF8.self))
        case .markdown: Terminal.print(CoverageMarkdown.render(result))
        }
    }

    private func compare(_ result: CoverageResult, with before: CoverageBaseline, in catalogue: Catalogue) -> ExitStatus
    {
        let lost = before.losses(in: result)
        let unknownNames = before.unknownNames(in: catalogue)
        for row in lost.rows {
            Terminal.printError(
                "lost: \(row.row.id) was proven: \(row.reasons.first.map(String.init(describing:)) ?? "")"
            )
        }
        for defect in lost.defects { Terminal.printError("lost: \(defect.name) was killed and survives now") }
        for name in unknownNames { Terminal.printError("lost: \(name) was settled and is no longer in the catalogue") }
        let gains = before.gains(in: result)
        guard lost.rows.isEmpty, lost.defects.isEmpty, unknownNames.isEmpty else {
            Terminal.printError("coverage fell below \(baseline ?? "the baseline")")
            return .failed
        }
        if gains.rows + gains.defects > 0 {
            Terminal.printError(
                "\(gains.rows) rows and \(gains.defects) defects more than in \(baseline ?? "the baseline"); "
                    + "--record adds them"
            )
        }
        return .passed
    }
}
