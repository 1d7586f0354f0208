package import Exploration
package import SquallCore

/// The parameters of perturbed runs, each of which has one additional fault or action.
package struct PerturbOptions: Sendable {
    package var kinds: [PerturbationKind] = PerturbationKind.allCases
    /// The number of runs to sample at random; nil to execute all.
    package var sample: Int?
    package var seed = Seed(1)
    /// The names of the defects to plant.
    package var defects: [String] = []
    package var jobs = SuiteOptions.defaultJobs
    /// The folder to which failing scenarios are written; nil to write none.
    package var folder: String?

    package init() {}

    /// The maximum number of runs per case in a sample, so that the sample covers many cases.
    static let sampledPerCase = 8
    /// The maximum number of clients in a sampled case: one run with many clients can take as long as a hundred others.
    static let maximumSampledClients = 20
}

/// The results of the perturbed runs.
package struct PerturbResult: Sendable {
    package struct Found: Sendable {
        package var cause: PerturbedCause
        /// The explanation of the verdict in the first run that failed with `cause`.
        package var why: String
        /// The title of the case and the step at which it was perturbed, in the first run that failed with `cause`.
        package var title: String
        package var place: String
        /// The number of runs that failed with `cause`.
        package var count: Int
        /// The scenario file of the first run that failed with `cause`; nil if no files are written.
        package var path: String?
        /// The command that runs the scenario file; nil if no files are written.
        package var replay: String?
        /// Whether a run of the written file fails with the same cause; true if no files are written.
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

/// The cause of a perturbed run's failure; runs that fail for the same reason have equal causes.
package struct PerturbedCause: Hashable, Sendable {
    package var kind: PerturbationKind
    /// The violated invariant or expectation, such as `invariant convergence`; `end` if the final state differs from
    /// that of the unperturbed run.
    package var judge: String
    /// The explanation of the failure without names and numbers or, if ``judge`` is `end`, the name of the observable
    /// whose final value differs.
    package var what: String

    static let end = "end"
}
