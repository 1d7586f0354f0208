import Dispatch
import Foundation
import Synchronization
package import Testing

extension Trait where Self == OwnThread {
    /// A trait for tests that block their thread while they wait for a process, a socket or another thread.
    package static var ownThread: Self { OwnThread() }
}

/// Runs a test on its own thread, outside the pool that all tests share.
///
/// The pool has one thread per core: on a machine with two cores, two tests that block on a child process would delay
/// all others beyond their deadlines.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        await Turns.shared.begin()
        try await withTaskExecutorPreference(OwnThreads.shared) {
            let start = ContinuousClock.now
            // The duration is recorded here, before the test resumes on the shared pool, whose threads may be busy for
            // a long time.
            defer {
                OwnTimes.shared?.note(ContinuousClock.now - start, of: test)
                Turns.shared.end()
            }
            try await function()
        }
    }
}

private final class OwnThreads: TaskExecutor {
    static let shared = OwnThreads()

    /// The queue is concurrent, so that Dispatch adds threads to it while others are blocked.
    private let queue = DispatchQueue(label: "squall.tests", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Records how long each test took, excluding the wait for a free slot, which Swift Testing's own times include.
///
/// Only tests with the trait ``Trait/ownThread`` are recorded. Other tests wait for a thread of the shared pool, at the
/// start and after each suspension, and Swift Testing has no hook for excluding these waits from the measured time. A
/// test that takes seconds should have the trait, because otherwise it occupies one of the pool's few threads.
private final class OwnTimes: Sendable {
    /// The log, whose lines contain a duration in seconds and the name of a test; nil unless the environment variable
    /// `SQUALL_TEST_TIMES` names a file.
    static let shared = ProcessInfo.processInfo.environment["SQUALL_TEST_TIMES"].flatMap(OwnTimes.init)

    private let file: Mutex<FileHandle>

    private init?(path: String) {
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
        else { return nil }
        self.file = Mutex(file)
    }

    func note(_ span: Duration, of test: Test) {
        let seconds = String(format: "%8.2f", span / .seconds(1))
        file.withLock { $0.write(Data("\(seconds) s  \(test.displayName ?? test.name)\n".utf8)) }
    }
}

/// Limits how many tests with the trait run simultaneously, because the processes that they start share the machine and
/// must meet deadlines.
private final class Turns: Sendable {
    static let shared = Turns(4)

    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    func begin() async {
        await withCheckedContinuation { continuation in
            let mayGo = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if mayGo { continuation.resume() }
        }
    }

    func end() {
        let next = state.withLock { state in
            if state.waiting.isEmpty {
                state.free += 1
                return nil as CheckedContinuation<Void, Never>?
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
