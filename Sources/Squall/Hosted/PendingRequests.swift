import Synchronization

/// Pending requests that another thread completes. Each request is completed once: by an answer, by ``close(_:)``, or
/// by the cancellation of its task.
final class PendingRequests<Answer: Sendable>: Sendable {
    private struct State {
        var lastNumber = 0
        var waiting: [Int: CheckedContinuation<Answer, any Error>] = [:]
        /// Requests that were cancelled before their continuation was stored.
        var cancelled: Set<Int> = []
        /// The error with which all later requests fail; nil until ``close(_:)`` is called.
        var failure: (any Error)?
    }

    private let state = Mutex(State())

    /// Sends a request and waits for its answer.
    ///
    /// `put` sends the request with the given number, and is not called until an answer can be received. `onCancel` is
    /// called if the task is cancelled, to cancel the request.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; after ``close(_:)``, the error passed to it.
    func ask(_ put: (Int) -> Void, onCancel: @escaping @Sendable (Int) -> Void = { _ in }) async throws -> Answer {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let failure: (any Error)? = state.withLock { state in
                    if let failure = state.failure { return failure }
                    if state.cancelled.remove(number) != nil { return CancellationError() }
                    state.waiting[number] = continuation
                    return nil
                }
                if let failure { continuation.resume(throwing: failure) } else { put(number) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                let waiting = state.waiting.removeValue(forKey: number)
                if waiting == nil { state.cancelled.insert(number) }
                return waiting
            }
            onCancel(number)
            waiting?.resume(throwing: CancellationError())
        }
    }

    /// Completes a request with an answer; does nothing if the request is no longer pending.
    func answer(_ number: Int, _ answer: Answer) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: answer)
    }

    /// Fails all pending and later requests. If called again, later requests still fail with the first error.
    func close(_ failure: any Error) {
        let waiting = state.withLock { state in
            state.failure = state.failure ?? failure
            defer { state.waiting.removeAll() }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(throwing: failure) }
    }
}
