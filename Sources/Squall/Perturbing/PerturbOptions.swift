package import Exploration
package import SquallCore

/// Which perturbations are played, and with what.
package struct PerturbOptions: Sendable {
    package var kinds: [PerturbationKind] = PerturbationKind.allCases
    /// How many runs to draw; nil to play all.
    package var sample: Int?
    package var seed = Seed(1)
    /// The names of the defects to plant.
    package var defects: [String] = []
    package var jobs = SuiteOptions.defaultJobs
    /// The folder for the scenarios that fail; nil to write nothing.
    package var folder: String?

    package init() {}

    /// The largest number of runs per case in a sample, so that it covers many cases.
    static let sampledPerCase = 8
    /// The largest number of clients in a sampled case: a run with a crowd takes as long as a hundred others.
    static let mostSampledClients = 20
}

/// The results of the perturbed runs.
package struct PerturbResult: Sendable {
    package struct Found: Sendable {
        package var cause: PerturbedCause
        /// The verdict's own sentence in the first run.
        package var why: String
        /// The case and the place of the first run.
        package var title: String
        package var place: String
        /// How many runs failed for this cause.
        package var count: Int
        /// The scenario file of the first run; nil if no files are written.
        package var path: String?
        /// The command that plays the file.
        package var replay: String?
        /// Whether the file fails for the same cause when it is read and played.
        package var isConfirmed = true
    }

    /// A case that was not perturbed.
    package struct Skipped: Sendable {
        package var title: String
        package var why: String
    }

    package var found: [Found] = []
    package var skipped: [Skipped] = []
    /// The number of perturbed cases.
    package var cases = 0
    /// The number of perturbed runs.
    package var runs = 0
    package var wall = TimeSpan.zero
    package var isInterrupted = false
}

/// The common part of perturbed runs that fail for the same reason.
package struct PerturbedCause: Hashable, Sendable {
    package var kind: PerturbationKind
    /// `invariant convergence`; `end` if the run ends differently from the undisturbed one.
    package var judge: String
    /// The sentence without names and numbers; for `end`, the observable.
    package var what: String

    static let end = "end"
}
