import ArgumentParser
import Foundation
import Squall
import SquallCore

/// Measures how many planted defects exploration finds.
struct ExploreBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract:
            "Measure how many planted defects exploration finds, and how often it blames a client without defects.",
        discussion: """
            Each run is played with Squall's client as it is and with each planted defect that no invariant but convergence \
            has found yet. A defect counts as found when its run violates an invariant that the same run without it does not \
            violate, or differs from the sound client by the rules of --against. The sound client is also compared with \
            itself, with other seeds.

            exit status: 0 measured and the sound client was never blamed by an invariant, 1 it was, 64 usage error, 70 Squall \
            itself failed, 130 interrupted (what was measured until then is printed)
            """
    )

    @Option(help: "The seed of the exploration.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "The maximum number of runs per defect; 0 to play only the client without defects.",
            valueName: "n"
        )
    )
    var runs = 40

    @Option(help: ArgumentHelp("The number of runs of the client without defects.", valueName: "n"))
    var soundRuns = 200

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long to play at most. (default: 3m)", valueName: "span"),
        transform: PositiveTime.init
    )
    var span: PositiveTime?

    @Option(
        name: .customLong("defect"),
        help: ArgumentHelp("Plant only this defect. May be repeated. (default: each of them)", valueName: "name")
    )
    var defects: [String] = []

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
        name: .customLong("from"),
        help: ArgumentHelp("Make every second run a variation of these scenarios. May be repeated.", valueName: "path")
    )
    var starts: [String] = []

    @Option(help: ArgumentHelp("How many runs to play at once. (default: one per processor)", valueName: "n"))
    var jobs: Int?

    func validate() throws {
        if runs < 0 { throw ValidationError("--runs must be at least 0, not \(runs)") }
        for (name, value) in [("--sound-runs", soundRuns), ("--jobs", jobs ?? 1)] where value < 1 {
            throw ValidationError("\(name) must be at least 1, not \(value)")
        }
    }

    func run() async throws {
        try await finish { try await perform() }
    }

    private func perform() async throws -> ExitStatus {
        var options = BenchOptions()
        options.seed = Seed(seed)
        (options.runs, options.soundRuns, options.jobs) = (runs, max(runs, soundRuns), jobs)
        if let span { options.limit = span.span }
        if !defects.isEmpty { options.defects = defects }
        (options.profiles, options.starts) = (profiles, starts)
        options.progress = { ProgressLog.show($0) }
        let chosen = options
        let result = try await Interruption.cancels { try await ExploreBench(chosen).measure() }
        Terminal.progress("")
        for line in BenchReport(result: result).lines { Terminal.print(line) }
        if result.isInterrupted { return .interrupted }
        return result.blamed.isEmpty ? .passed : .failed
    }
}

/// Renders the results of a benchmark as text.
private struct BenchReport {
    let result: BenchResult

    var lines: [String] {
        var lines: [String] = []
        if result.runs > 0 { lines += defects }
        lines += sound + unmet
        let rate = Double(result.played) / max(Self.seconds(result.spent), 0.001)
        lines.append(
            "\(result.played) runs in \(Self.text(result.spent)) of processor time, \(Int(rate.rounded())) a second a core"
        )
        return lines
    }

    private var defects: [String] {
        let all = result.tallies
        let reached = all.filter { $0.reached != nil }
        var lines = ["\(all.count) defects, at most \(result.runs) runs each:"]
        lines.append(row("by invariants alone", all.compactMap(\.byInvariant)))
        lines.append(row("by invariants and convergence", all.compactMap(\.byAnyInvariant)))
        lines.append(row("with --against reference", all.compactMap(\.first)))
        lines.append("  reached (any event differs)    \(share(reached.count, all.count))")
        let judges = Dictionary(grouping: all.compactMap(\.byAnyInvariant), by: \.judge)
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            .map { "\($0.key.replacing("invariant ", with: "")) \($0.value.count)" }
        lines += list("found first by", judges)
        let byComparison = reached.filter { $0.byAnyInvariant == nil && $0.first != nil }
        lines += list("reached, found only with --against", byComparison.map(\.defect))
        lines += list("reached, not found", reached.filter { $0.first == nil }.map(\.defect))
        lines += list("never reached", all.filter { $0.reached == nil }.map(\.defect))
        return lines
    }

    private func row(_ title: String, _ finds: [BenchResult.Find]) -> String {
        let padded = title + String(repeating: " ", count: max(0, 31 - title.count))
        let line = "  \(padded)\(share(finds.count, result.tallies.count))"
        guard !finds.isEmpty else { return line }
        let runs = finds.map(\.run).sorted()
        let spent = finds.map(\.spent).sorted()
        let (run, time) = (runs[runs.count / 2], Self.text(spent[spent.count / 2]))
        return "\(line); median first find in run \(run), after \(time) of "
            + "processor time"
    }

    private var sound: [String] {
        var lines = ["the client without defects, \(result.soundRuns) runs:"]
        lines.append("  blamed by an invariant         \(share(result.blamed.count, result.soundRuns))")
        lines.append("  differs from itself            \(share(result.differing.count, result.compared))")
        for alarm in result.blamed.prefix(Self.maximumAlarms) + result.differing.prefix(Self.maximumAlarms) {
            lines.append("    run \(alarm.run): \(SanitizedText(alarm.why))")
        }
        return lines
    }

    private static let maximumAlarms = 10

    private var unmet: [String] {
        list("actions never played", result.unmetActions) + list("events that never happened", result.unmetEvents)
            + list("observables never shown", result.unmetObservables)
    }

    private func list(_ title: String, _ names: [String]) -> [String] {
        names.isEmpty ? [] : ["\(title) (\(names.count)): \(names.joined(separator: ", "))"]
    }

    private func share(_ count: Int, _ total: Int) -> String {
        guard total > 0 else { return "\(count)" }
        let percent = Double(count) * 100 / Double(total)
        return "\(count) of \(total) (\(String(format: percent < 10 ? "%.1f" : "%.0f", percent)) %)"
    }

    private static func seconds(_ span: TimeSpan) -> Double { Double(span.nanoseconds) / 1e9 }
    private static func text(_ span: TimeSpan) -> String { String(format: "%.2f s", seconds(span)) }
}
