package import ScenarioModel
package import SquallCore

/// The options of a coverage measurement.
package struct CoverageOptions: Sendable {
    /// The rows to measure.
    package var rows = RowSelection()
    /// The unit tests named in the catalogue that exist.
    package var unitTests: Set<String> = []
    package var worlds: [World] = [.sim, .live]
    package var seed = Seed(1)
    /// Whether a defect that no scenario for its own rows detects is tried with all other scenarios until one detects
    /// it.
    package var full = false
    /// The maximum number of concurrent runs.
    package var jobs = SuiteOptions.defaultJobs

    package init() {}
}
