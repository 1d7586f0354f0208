import Synchronization

/// Questions that are answered later, from another thread, each once: with an answer, with the desk's closing, or by their task's cancellation.
final class PendingRequests<Answer: Sendable>: Sendable {
    private struct State {
        var lastNumber = 0
        var waiting: [Int: CheckedContinuation<Answer, any Error>] = [:]
        /// Given up before anybody waited.
        var withdrawn: Set<Int> = []
        var fate: (any Error)?
    }

    private let state = Mutex(State())

    /// Waits for the answer to a question.
    ///
    /// `put` puts it, under its number, once an answer has somewhere to go; `withdraw` takes it back.
    func ask(_ put: (Int) -> Void, withdraw: @escaping @Sendable (Int) -> Void = { _ in }) async throws -> Answer {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let failure: (any Error)? = state.withLock { state in
                    if let fate = state.fate { return fate }
                    if state.withdrawn.remove(number) != nil { return CancellationError() }
                    state.waiting[number] = continuation
                    return nil
                }
                if let failure { continuation.resume(throwing: failure) } else { put(number) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                let waiting = state.waiting.removeValue(forKey: number)
                if waiting == nil { state.withdrawn.insert(number) }
                return waiting
            }
            withdraw(number)
            waiting?.resume(throwing: CancellationError())
        }
    }

    /// Nobody may be waiting any more.
    func answer(_ number: Int, _ answer: Answer) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: answer)
    }

    /// Nothing is answered any more; the first reason stays.
    func close(_ fate: any Error) {
        let waiting = state.withLock { state in
            state.fate = state.fate ?? fate
            defer { state.waiting.removeAll() }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(throwing: fate) }
    }
}
