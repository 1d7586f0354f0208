package import SquallCore
package import TemporalLogic

/// A condition that a program outside the run waits for.
package struct ConductedWait: Sendable {
    package var condition: Condition
    /// Whether the wait is edge-triggered: the condition must become true after the last action or match. A
    /// level-triggered wait is also met by a state that already holds or an event that has already happened.
    package var next: Bool
    package var within: TimeSpan

    package init(_ condition: Condition, next: Bool, within: TimeSpan) {
        self.condition = condition
        self.next = next
        self.within = within
    }
}
