import Foundations
import ScenarioModel
import Trace

extension CaseResult {
    /// A case that cannot be played under the profile that was asked for, because its protocol lacks frames that the
    /// scenario needs; nil where it can be.
    init?(unspoken plan: RunPlan, world: World) {
        let unspoken = plan.scenario.unspoken
        guard !unspoken.isEmpty else { return nil }
        let header = TraceHeader(
            language: 1,
            tool: SquallVersion.current,
            scenario: plan.scenario.file,
            variant: plan.scenario.variant,
            profile: plan.scenario.profile.name,
            seed: plan.seed,
            clock: plan.clock,
            defects: plan.defects
        )
        let result = RunResult(
            recording: Recording(header: header, events: [], end: .zero),
            digest: "",
            judgements: [],
            script: .finished,
            lateness: .zero,
            abandoned: nil
        )
        var plan = plan
        plan.skipped = unspoken.map { unspoken in
            ExpectationResult(
                location: unspoken.location,
                word: "profile",
                covers: [],
                verdict: .skipped,
                why: unspoken.message,
                evidence: []
            )
        }
        self.init(result, of: plan, world: world, wall: .zero)
    }
}
