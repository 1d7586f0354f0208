import Foundation
package import Foundations
package import ScenarioModel

/// What `squall coverage` measures.
package struct CoverageOptions: Sendable {
    /// Which rows it is about.
    package var rows = RowSelection()
    package var worlds: [World] = [.sim, .live]
    package var seed = Seed(1)
    /// Whether every defect is tried on every scenario, not only on those that cover its rows.
    package var full = false
    /// How many runs at once.
    package var jobs = max(2, ProcessInfo.processInfo.activeProcessorCount)

    package init() {}
}
