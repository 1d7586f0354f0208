import SquallCore

/// The earliest deadline that a reactor was told of for somebody, so that it is told only of earlier ones: each stays with it
/// until it has come.
struct EarliestWake {
    private(set) var due = Instant.never

    /// Whether the reactor must be told of this one; it counts as told then.
    mutating func needs(_ due: Instant) -> Bool {
        guard due < self.due else { return false }
        self.due = due
        return true
    }

    /// What was told of until now has come.
    mutating func came(by now: Instant) {
        if due <= now { due = .never }
    }
}
