package import Reports
import SquallCore

/// The run that a panel shows and controls.
package protocol PanelBackend: Sendable {
    /// Whether a step could be performed now; throws its mistakes.
    func check(_ step: String) throws(PanelRefusal)
    /// Performs a step; returns the index of the first event that followed.
    func perform(_ step: String) async throws(PanelRefusal) -> Int
    /// The standing invariants as they are; empty if they cannot be had.
    func lights() async -> [PanelLight]
    /// The trace so far; nil if it cannot be had.
    func trace() async -> [UInt8]?
}

/// The reason why a step is not performed, for the reader.
package struct PanelRefusal: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) {
        self.message = message
    }
}
