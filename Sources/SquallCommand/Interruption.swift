import Dispatch
import Squall
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the user's ctrl-C asks for: the first ends the work in order, the second at once.
enum Interruption {
    private static let count = Atomic(0)
    /// When it was first asked for.
    private static let asked = Mutex<ContinuousClock.Instant?>(nil)

    /// Whether it has been asked for, for work that looks rather than being cancelled.
    static var isRequested: Bool { count.load(ordering: .relaxed) > 0 }

    /// Does work that the first SIGINT or SIGTERM cancels.
    ///
    /// What is cancelled ends as it sees fit, and gives what it has. The signals stay taken over for the rest of the process.
    static func cancels<Output: Sendable>(
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        let task = Task { try await work() }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                // One wish may come twice: to the process and to its group.
                if let first = asked.withLock({ $0 }), ContinuousClock.now - first < .milliseconds(300) { return }
                if count.add(1, ordering: .relaxed).oldValue > 0 {
                    LiveProcesses.killAll()
                    _exit(130)
                }
                asked.withLock { $0 = .now }
                Terminal.complain("\ninterrupted: ending what is under way (once more to stop at once)")
                task.cancel()
            }
            source.resume()
            return source
        }
        let result = await task.result
        for source in sources { source.cancel() }
        return try result.get()
    }
}
