package import ScenarioModel
package import SquallCore

/// The options of a coverage measurement.
package struct CoverageOptions: Sendable {
    /// The catalogue rows (requirements) whose coverage is measured.
    package var rows = RowSelection()
    /// The results of the unit tests; nil if they were not read.
    package var unitTests: UnitTestResults?
    package var worlds: [World] = [.sim, .live]
    package var seed = Seed(1)
    /// Whether a planted defect not detected by the scenarios for its own rows is also tried with the other scenarios
    /// until one detects it.
    package var full = false
    /// The maximum number of concurrent runs.
    package var jobs = SuiteOptions.defaultJobs

    package init() {}
}
