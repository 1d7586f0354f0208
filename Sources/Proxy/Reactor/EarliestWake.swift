import SquallCore

/// The earliest deadline that one watcher has scheduled with its reactor.
///
/// A reactor cannot cancel a deadline, so a watcher schedules only deadlines that are earlier than every pending one.
struct EarliestWake {
    private(set) var due = Instant.never

    /// Returns whether the deadline `due` must be scheduled, and if so records it as scheduled.
    mutating func schedules(_ due: Instant) -> Bool {
        guard due < self.due else { return false }
        self.due = due
        return true
    }

    /// Clears the deadline if it has passed.
    mutating func clearIfPassed(by now: Instant) {
        if due <= now { due = .never }
    }
}
