package import Reports
import ScenarioModel
import SquallCore
import Trace

extension ReportComparison {
    /// The maximum number of runs that are repeated for one comparison.
    private static let limit = 100

    /// Adds missing traces to the comparison, for the cases that now fail, pass or are inconclusive but did not before.
    /// A report omits the traces of passed runs unless they are requested.
    ///
    /// A simulated run of Squall's own client is repeated with its seed, profile and defects. Its trace is used only if
    /// its digest matches the report, which proves that all events are equal.
    package static func withReplays(_ comparison: SuiteComparison) async -> SuiteComparison {
        var comparison = comparison
        var played = 0
        let kinds: Set<CaseChange> = [.newlyFailing, .newlyInconclusive, .newlyPassing]
        for index in comparison.cases.indices where kinds.contains(comparison.cases[index].change) {
            guard played < limit, !Task.isCancelled else { break }
            for side in [\ComparedCase.old, \ComparedCase.new] {
                guard let run = comparison.cases[index][keyPath: side]?.run, run.wasPlayed, !run.hasWholeTrace else {
                    continue
                }
                guard run.world == .sim, run.client == "reference" else {
                    comparison.cases[index].replayObstacle = "a live run cannot be played again exactly"
                    continue
                }
                played += 1
                if let trace = await replay(run) {
                    comparison.cases[index][keyPath: side]?.run.add(trace)
                } else {
                    comparison.cases[index].replayObstacle =
                        "played again from its file and seed, the run is not the one of the report"
                }
            }
            diverge(&comparison.cases[index])
        }
        return comparison
    }

    /// Repeats a simulated run; returns nil if the run cannot be repeated or differs from the given one.
    private static func replay(_ run: CaseResult) async -> Recording? {
        let profile = run.isProfileForced ? run.profile : nil
        let selection = SuiteSelection(paths: [run.file], profile: profile)
        guard let scenarios = try? Suite.load(selection) else { return nil }
        var options = SuiteOptions()
        options.worlds = [.sim]
        options.seed = run.seed
        options.wireOf = profile
        options.defects = run.recording.header.defects
        options.tracesOfPasses = .all
        let suite = try? await Suite.play(scenarios.filter { $0.caseKey == run.key }, options)
        guard let again = suite?.runs.first, again.digest == run.digest else { return nil }
        return again.recording
    }
}
