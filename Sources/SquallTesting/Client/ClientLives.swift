import Synchronization

/// The tasks of all clients of one play: none outlives it.
final class ClientLives: Sendable {
    private let tasks = Mutex<[Task<Void, Never>]>([])

    func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }

    /// Waits until all have ended.
    ///
    /// - Returns: False if some are still running after that time.
    func end(within span: Duration) async -> Bool {
        let tasks = tasks.withLock { $0 }
        guard !tasks.isEmpty else { return true }
        // Not in the caller's task, because its cancellation must not cut the wait short.
        return await withCheckedContinuation { continuation in
            let once = Once(continuation)
            // In real time: these are tasks of the test itself, which know no other clock. A simulated run has none.
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

    /// A continuation that either of two callers may resume.
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
