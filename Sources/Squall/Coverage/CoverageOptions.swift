import Foundation
package import ScenarioModel
package import SquallCore

/// What `squall coverage` measures.
package struct CoverageOptions: Sendable {
    /// Which rows it is about.
    package var rows = RowSelection()
    package var worlds: [World] = [.sim, .live]
    package var seed = Seed(1)
    /// Whether a defect that no scenario of its own rows has caught is tried on all others, up to the first that does.
    package var full = false
    /// How many runs at once.
    package var jobs = max(2, ProcessInfo.processInfo.activeProcessorCount)

    package init() {}
}
