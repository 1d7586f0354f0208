package import SquallCore
package import TemporalLogic

/// Something that is waited for from outside a script.
package struct ConductedWait: Sendable {
    package var condition: Condition
    /// Edge: it comes to hold after what was done or seen last. Otherwise level: it holds, or did happen.
    package var next: Bool
    package var within: TimeSpan

    package init(_ condition: Condition, next: Bool, within: TimeSpan) {
        self.condition = condition
        self.next = next
        self.within = within
    }
}
