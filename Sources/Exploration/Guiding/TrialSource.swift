/// The strategy by which an exploration generates its drafts.
package enum TrialSource: Sendable {
    case random(Generator)
    case guided(GuidedGenerator)
    case sweep(FaultSweep)

    /// Generates the input of the run with this number, counted from 1.
    package func trial(_ run: Int) -> Generator.Trial {
        switch self {
        case .random(let generator): generator.trial(run)
        case .guided(let generator): generator.trial(run)
        case .sweep(let sweep): sweep.trial(run)
        }
    }
}
