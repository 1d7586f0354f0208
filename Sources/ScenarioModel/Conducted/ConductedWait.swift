package import SquallCore
package import TemporalLogic

/// A condition that a program outside the run waits for.
package struct ConductedWait: Sendable {
    package var condition: Condition
    /// Edge-triggered: the condition must become true after the last action or match. Otherwise level-triggered: it
    /// holds, or happened.
    package var next: Bool
    package var within: TimeSpan

    package init(_ condition: Condition, next: Bool, within: TimeSpan) {
        self.condition = condition
        self.next = next
        self.within = within
    }
}
