import Squall
import Synchronization

/// Limits the number of cases that are run at the same time.
///
/// A test framework would start all cases of a suite concurrently, and on an overloaded machine their results would be
/// inconclusive.
final class ConcurrencyGate: Sendable {
    /// The gate shared by all tests in the process. Its limit is the number of cases that `squall run` runs
    /// concurrently.
    static let shared = ConcurrencyGate(SuiteOptions().jobs)

    private struct State {
        var free: Int
        var lastNumber = 0
        /// The waiting calls, in order of arrival.
        var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
        var cancelled: Set<Int> = []
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(free: max(1, count)))
    }

    /// Waits until fewer cases than the limit are running, and then runs `body`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits, or the error that `body` throws.
    func pass<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let answer: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    guard state.free == 0 else {
                        state.free -= 1
                        return .success(())
                    }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            let waiting = state.withLock { state -> CheckedContinuation<Void, any Error>? in
                guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.waiting.remove(at: index).continuation
            }
            waiting?.resume(throwing: CancellationError())
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
