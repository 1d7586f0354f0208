package import ScenarioModel
package import SquallCore

/// The options of a coverage measurement.
package struct CoverageOptions: Sendable {
    /// The rows to measure.
    package var rows = RowSelection()
    /// Those of the unit tests named in the catalogue that exist.
    package var unitTests: Set<String> = []
    package var worlds: [World] = [.sim, .live]
    package var seed = Seed(1)
    /// Whether a defect that no scenario of its own rows catches is tried on all others until one does.
    package var full = false
    /// The largest number of runs at a time.
    package var jobs = SuiteOptions.defaultJobs

    package init() {}
}
