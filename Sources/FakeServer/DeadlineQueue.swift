import SquallCore

/// What is to be done later, by deadline; what is due at the same instant goes in the order it was put down.
struct DeadlineQueue<Task: Hashable & Sendable>: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        var due: Instant
        var task: Task
    }

    /// The next one last.
    ///
    /// Equal deadlines lie newest first, so that the oldest is taken first.
    private var entries: [Entry] = []

    var next: Instant? { entries.isEmpty ? nil : entries[entries.count - 1].due }

    mutating func add(_ task: Task, at due: Instant) {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].due > due { low = middle + 1 } else { high = middle }
        }
        entries.insert(Entry(due: due, task: task), at: low)
    }

    /// The next task that is due.
    mutating func take(at now: Instant) -> Task? {
        guard let next, next <= now else { return nil }
        return entries.removeLast().task
    }

    mutating func remove(where isDone: (Task) -> Bool) {
        entries.removeAll { isDone($0.task) }
    }
}
