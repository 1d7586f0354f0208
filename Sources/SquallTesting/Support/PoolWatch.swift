import SquallCore
import Synchronization

/// Measures the scheduling delay of the thread pool shared by all tasks in a test process.
///
/// A client in the test process runs on this pool. If other tests block the pool's threads, the client is delayed
/// through no fault of its own.
final class PoolWatch: Sendable {
    private struct State {
        /// The instant at which the next measurement is due.
        var due: ContinuousClock.Instant
        var worst = Duration.zero
    }

    private let state = Mutex(State(due: .now + PoolWatch.interval))
    private static let interval = Duration.milliseconds(50)

    /// Measures the delay while `body` runs.
    func during<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        state.withLock { $0 = State(due: .now + Self.interval) }
        let watch = Task { [self] in
            while !Task.isCancelled {
                let due = state.withLock { $0.due }
                // The task sleeps in real time, because the watched clients use real time. Simulated runs have no such
                // clients and are not watched.
                try? await Task.sleep(until: due, clock: .continuous)
                state.withLock { state in
                    state.worst = max(state.worst, .now - state.due)
                    state.due = .now + Self.interval
                }
            }
        }
        defer { watch.cancel() }
        return try await body()
    }

    /// Returns the longest delay since the last call, including a delay that has not ended yet.
    func take() -> TimeSpan {
        state.withLock { state in
            let worst = max(state.worst, .now - state.due)
            state.worst = .zero
            return TimeSpan(max(worst, .zero))
        }
    }
}
