import SquallCore

/// A queue of tasks ordered by deadline. Tasks with equal deadlines are taken in the order they were added.
struct DeadlineQueue<Task: Hashable & Sendable>: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        var due: Instant
        var task: Task
    }

    /// The entries sorted by descending deadline, so that the next task is the last element.
    ///
    /// Among equal deadlines the newest comes first, so that the oldest is taken first.
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

    /// Removes and returns the next task that is due; nil if there is none.
    mutating func take(at now: Instant) -> Task? {
        guard let next, next <= now else { return nil }
        return entries.removeLast().task
    }

    mutating func remove(where isDone: (Task) -> Bool) {
        entries.removeAll { isDone($0.task) }
    }
}
