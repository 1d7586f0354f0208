import ArgumentParser
import Reports
import ScenarioModel
import Squall
import SquallCore

struct CoverageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage",
        abstract: "Say which rows of the audits the scenarios prove, which defects they catch, and what is missing.",
        discussion: """
            A row is proven when an expectation that covers it passes in both worlds, names the row's own numbers and \
            texts, and can be made to fail by some change of the trace; and when each defect of the row fails some \
            scenario that covers it.

            exit status: 0 measured, and nothing lost against the baseline; 1 something was lost
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown
    }

    @Argument(help: "Scenario files, or folders to look for them in.")
    var paths: [String] = ["Scenarios"]

    @Option(help: "How the result is printed.")
    var format: Format = .text

    @Flag(help: "Print the first line of the text alone, and what was lost.")
    var brief = false

    @Option(
        name: .customLong("rows"),
        help: ArgumentHelp(
            "Only these rows: an id, or its beginning with a *; several with commas.",
            valueName: "WS-1*"
        )
    )
    var rows: [String] = []

    @Option(
        name: .customLong("area"),
        help: ArgumentHelp("Only rows of this area of an audit; may be repeated.", valueName: "name")
    )
    var areas: [String] = []

    @Option(help: "Play in sim, in live, or in both: a row is proven only by a pass in both.")
    var world: WorldChoice = .both

    @Flag(help: "Try a defect that no scenario of its rows catches on every other one, until one does.")
    var full = false

    @Option(help: ArgumentHelp("Refuse less than this file says was proven and killed.", valueName: "file"))
    var baseline: String?

    @Flag(help: "Write what is proven and killed now into the baseline.")
    var record = false

    @Option(help: ArgumentHelp("The folder of the catalogue, where it is not the binary's own.", valueName: "dir"))
    var catalogue: String?

    @Option(help: "Where all chance comes from.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("How many runs at once.", valueName: "n"))
    var jobs: Int?

    func validate() throws {
        if record, baseline == nil { throw ValidationError("--record needs --baseline FILE to write to") }
        if record, world != .both {
            throw ValidationError("--record writes what passes in both worlds: leave --world \(world.rawValue) out")
        }
        if brief, format != .text { throw ValidationError("--brief is for text") }
        if let jobs, jobs < 1 { throw ValidationError("--jobs is at least 1, not \(jobs)") }
    }

    func run() async throws {
        try await finish { try await perform() }
    }

    private func perform() async throws -> ExitStatus {
        let catalogue = try CatalogueFiles.load(catalogue)
        let selection = try selection(in: catalogue)
        // Read first: a baseline that cannot be read must not cost a measurement.
        let before = try baseline.flatMap { path in
            record ? try BaselineFile.readIfPresent(path) : try BaselineFile.read(path)
        }
        let scenarios = try Suite.load(SuiteSelection(paths: paths, catalogue: catalogue))
        var options = CoverageOptions()
        options.rows = selection
        options.worlds = world.worlds
        options.seed = Seed(seed)
        options.full = full
        if let jobs { options.jobs = jobs }
        let player = CoveragePlayer(
            scenarios,
            against: catalogue,
            options,
            progress: { Terminal.progress("\($0.done) of \($0.total)  \($0.title)") }
        )
        guard let result = try await Interruption.cancels({ try await player.measure() }) else { return .interrupted }
        Terminal.progress("")
        print(result)
        guard let baseline else { return .passed }
        if record {
            let kept = before?.unmeasured(in: result) ?? []
            try BaselineFile.write(before?.updated(by: result) ?? CoverageBaseline(result), to: baseline)
            Terminal.complain("recorded in \(baseline)")
            if !kept.isEmpty {
                Terminal.complain(
                    "kept as it was, for no scenario of these files is about it: \(kept.joined(separator: ", "))"
                )
            }
            return .passed
        }
        return compare(result, with: before ?? CoverageBaseline(result), in: catalogue)
    }

    private func selection(in catalogue: Catalogue) throws -> RowSelection {
        let patterns = rows.flatMap { $0.split(separator: ",").map(String.init) }
        let selection = RowSelection(patterns: patterns, areas: areas)
        for pattern in patterns where catalogue.rows(in: RowSelection(patterns: [pattern])).isEmpty {
            throw SquallError.usage("no row is called '\(pattern)'; 'squall explain WS-' lists those of an audit")
        }
        let known = catalogue.rows.map(\.area)
        for area in areas where !known.contains(area) {
            let names = Set(known).sorted().joined(separator: ", ")
            throw SquallError.usage("no audit has an area '\(area)'; there are: \(names)")
        }
        guard !catalogue.rows(in: selection).isEmpty else {
            throw SquallError.usage("no row called so is in the area \(areas.joined(separator: ", "))")
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
        let strangers = before.strangers(in: catalogue)
        for row in lost.rows {
            Terminal.complain(
                "lost: \(row.row.id) was proven: \(row.reasons.first.map(String.init(describing:)) ?? "")"
            )
        }
        for defect in lost.defects { Terminal.complain("lost: \(defect.name) was killed and survives now") }
        for name in strangers { Terminal.complain("lost: \(name) was settled, and the catalogue has it no longer") }
        let gains = before.gains(in: result)
        guard lost.rows.isEmpty, lost.defects.isEmpty, strangers.isEmpty else {
            Terminal.complain("this is less than \(baseline ?? "the baseline") says")
            return .failed
        }
        if gains.rows + gains.defects > 0 {
            Terminal.complain(
                "\(gains.rows) rows and \(gains.defects) defects more than \(baseline ?? "the baseline") says; "
                    + "--record writes them into it"
            )
        }
        return .passed
    }
}
