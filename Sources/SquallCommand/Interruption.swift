import Dispatch
import Squall
import SquallCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Handles ctrl-C, SIGTERM and SIGHUP: the first signal cancels the work, the second ends the process immediately.
struct Interruption: Sendable {
    private struct Request {
        let signal: Int32
        let time: ContinuousClock.Instant
    }

    private struct State {
        var first: Request?
        var isListening = false
        /// The handlers that are called once, when the first signal arrives.
        var handlers: [@Sendable () -> Void] = []
    }

    private static let state = Mutex(State())
    /// The handlers run on a separate queue, so that blocked work cannot delay them.
    private static let queue = DispatchQueue(label: "squall.interruption")
    /// One ctrl-C may be delivered twice: to the process and to its group. A second signal within this time is ignored.
    private static let sameRequest = Duration.milliseconds(300)

    /// Whether a signal has arrived.
    static var isRequested: Bool { state.withLock { $0.first != nil } }

    /// The exit status of a server: `interrupted` after ctrl-C, `passed` after SIGTERM, which is the usual way to stop
    /// a server.
    static var serverStatus: ExitStatus { Interruption().signal == SIGINT ? .interrupted : .passed }

    /// The first signal that arrived; nil if none has arrived.
    var signal: Int32? { Self.state.withLock { $0.first?.signal } }

    /// Handles SIGINT, SIGTERM and SIGHUP until the process ends; the first of these signals calls `onFirst`.
    static func install(onFirst: @escaping @Sendable () -> Void = {}) -> Interruption {
        listen(onFirst)
        return Interruption()
    }

    /// Runs work in a task that the first SIGINT, SIGTERM or SIGHUP cancels.
    ///
    /// Cancelled work may still return partial results. The signals remain handled until the process ends.
    static func cancels<Output: Sendable>(
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        // The work starts after the handlers are installed: an earlier signal would end Squall but leave its child
        // processes running.
        let (opened, gate) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in opened {}
            return try await work()
        }
        listen { task.cancel() }
        gate.finish()
        return try await task.value
    }

    /// Adds a handler for the first signal. If a signal has already arrived, the handler is called immediately.
    private static func listen(_ onFirst: @escaping @Sendable () -> Void) {
        let (isHeard, isNew) = state.withLock { state in
            if state.first == nil { state.handlers.append(onFirst) }
            defer { state.isListening = true }
            return (state.first != nil, !state.isListening)
        }
        if isHeard { onFirst() }
        guard isNew else { return }
        // Under nohup, SIGHUP remains ignored, so that the process outlives its terminal.
        for number in [SIGINT, SIGTERM] + (IgnoredSignals.include(SIGHUP) ? [] : [SIGHUP]) {
            #if canImport(Darwin)
                // On Darwin, a dispatch source receives a signal even if the signal is ignored. On other systems, the
                // source installs a handler.
                _ = Darwin.signal(number, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                // The handler retains the source, which would otherwise be released.
                _ = source
                take(number)
            }
            let registered = DispatchSemaphore(value: 0)
            source.setRegistrationHandler { registered.signal() }
            source.resume()
            // A signal that arrives before the source is registered would be lost or would kill the process.
            registered.wait()
        }
    }

    private static func take(_ number: Int32) {
        let now = ContinuousClock.now
        let (before, handlers) = state.withLock { state -> (Request?, [@Sendable () -> Void]) in
            defer { state.handlers = [] }
            guard let first = state.first else {
                state.first = Request(signal: number, time: now)
                return (nil, state.handlers)
            }
            return (first, [])
        }
        if let before {
            guard now - before.time >= sameRequest else { return }
            LiveProcesses.killAll()
            Prompt.restore()
            _exit(ExitStatus.interrupted.code)
        }
        // The terminal echoes ctrl-C as `^C`, so the message begins on a new line.
        Terminal.printError(
            number == SIGINT
                ? "\ninterrupted: stopping (interrupt again to stop at once)"
                : "stopping after a signal (a second one stops at once)"
        )
        for handler in handlers { handler() }
    }
}
