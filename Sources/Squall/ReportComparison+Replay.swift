package import Reports
import ScenarioModel
import SquallCore
import Trace

extension ReportComparison {
    /// The maximum number of cases that are played again for one comparison.
    private static let limit = 100

    /// Returns the comparison with the missing traces of the cases that newly fail, are newly inconclusive or newly
    /// pass. A report contains no traces of runs that passed unless they are asked for.
    ///
    /// A simulated run of Squall's own client is played again with its seed, profile and defects. The trace is used
    /// only if it has the digest that the report gives, that is, if it equals the reported run event by event.
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

    /// Plays a simulated run again; returns nil if the run cannot be played or differs from the given one.
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
