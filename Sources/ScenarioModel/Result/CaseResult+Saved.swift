package import SquallCore
import TemporalLogic
package import Trace

extension CaseResult {
    /// Creates a result from saved files. Nothing is known about the scenario beyond what these files contain.
    package init(
        saved recording: Recording,
        name: String,
        tags: [String],
        world: World,
        client: String,
        verdict: CaseVerdict,
        simulated: TimeSpan,
        wall: TimeSpan,
        digest: String,
        tolerance: TimeSpan,
        expectations: [ExpectationResult]
    ) {
        file = recording.header.scenario
        variant = recording.header.variant
        profile = recording.header.profile
        seed = recording.header.seed
        isProfileForced = false
        self.name = name
        self.tags = tags
        self.world = world
        self.client = client
        self.verdict = verdict
        self.simulated = simulated
        self.wall = wall
        self.digest = digest
        self.tolerance = Tolerance(fixed: tolerance)
        self.expectations = expectations
        self.recording = recording
    }

    /// Adds the saved trace of a run to a result that was read from files.
    package mutating func add(_ trace: Recording) {
        recording = trace
        hasWholeTrace = true
    }
}
