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

            exit status: 0 measured, and nothing lost against the baseline; 1 something was lost
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown
    }

    @Argument(help: "Scenario files, or folders that are searched for them.")
    var paths: [String] = ["Scenarios"]

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
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1, not \(jobs)") }
    }

    func run() async throws {
        try await finish { try await perform() }
    }

    private func perform() async throws -> ExitStatus {
        let catalogue = try CatalogueFiles.load(catalogue)
        let selection = try selection(in: catalogue)
        // The baseline is read before the measurement, which takes minutes: if the baseline cannot be read, that time
        // is not wasted.
        let before = try baseline.flatMap { path in
            record ? try BaselineFile.readIfPresent(path) : try BaselineFile.read(path)
        }
        let scenarios = try Suite.load(SuiteSelection(paths: paths, catalogue: catalogue))
        var options = CoverageOptions()
        options.rows = selection
        options.unitTests = testEvents.isEmpty ? nil : try UnitTestEvents.read(testEvents)
        options.worlds = world.worlds
        options.seed = Seed(seed)
        options.full = full
        if let jobs { options.jobs = jobs }
        let player = CoveragePlayer(
            scenarios,
            against: catalogue,
            options,
            progress: { ProgressLog.show($0) }
        )
        guard let result = try await Interruption.cancels({ try await player.measure() }) else { return .interrupted }
        Terminal.progress("")
        print(result)
        guard let baseline else { return .passed }
        if record {
            let kept = before?.unmeasured(in: result) ?? []
            try BaselineFile.write(before?.updated(by: result) ?? CoverageBaseline(result), to: baseline)
            Terminal.printError("recorded in \(baseline)")
            if !kept.isEmpty {
                Terminal.printError("kept unchanged, as it was not measured: \(kept.joined(separator: ", "))")
            }
            return .passed
        }
        return compare(result, with: before ?? CoverageBaseline(result), in: catalogue)
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
