package import SquallCore
package import TemporalLogic

/// A condition that an external program waits for while it controls the run.
package struct ConductedWait: Sendable {
    package var condition: Condition
    /// Whether the wait is edge-triggered. If so, the condition must become true after the program's last action and
    /// after the event that satisfied its previous edge-triggered wait. A level-triggered wait also accepts a state
    /// that already holds, or an event that has already occurred.
    package var next: Bool
    package var within: TimeSpan

    package init(_ condition: Condition, next: Bool, within: TimeSpan) {
        self.condition = condition
        self.next = next
        self.within = within
    }
}
