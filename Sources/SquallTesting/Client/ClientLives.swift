import Synchronization

/// The tasks of all clients in one run, none of which may outlive the run.
final class ClientLives: Sendable {
    private let tasks = Mutex<[Task<Void, Never>]>([])

    func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }

    /// Waits until all tasks have ended, but no longer than `span`.
    ///
    /// - Returns: Whether all tasks ended within that time.
    func end(within span: Duration) async -> Bool {
        let tasks = tasks.withLock { $0 }
        guard !tasks.isEmpty else { return true }
        // A separate task does the waiting, so that cancelling the caller does not cut it short.
        return await withCheckedContinuation { continuation in
            let once = Once(continuation)
            // The time limit is measured in real time, because the test's tasks use no other clock. Simulated runs have
            // no such tasks.
            let limit = Task {
                try? await Task.sleep(for: span)
                once.resume(false)
            }
            Task {
                for task in tasks { await task.value }
                limit.cancel()
                once.resume(true)
            }
        }
    }

    /// A continuation that two callers may try to resume; only the first call has an effect.
    private final class Once: Sendable {
        private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

        init(_ continuation: CheckedContinuation<Bool, Never>) {
            self.continuation = Mutex(continuation)
        }

        func resume(_ value: Bool) {
            let waiting = continuation.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            waiting?.resume(returning: value)
        }
    }
}
