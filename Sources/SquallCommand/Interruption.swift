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

/// Interruption by ctrl-C, SIGTERM or the end of the terminal: the first ends the work in order, the second at once.
struct Interruption: Sendable {
    private struct Request {
        let signal: Int32
        let time: ContinuousClock.Instant
    }

    private struct State {
        var first: Request?
        var isListening = false
        /// Called once, at the first signal.
        var handlers: [@Sendable () -> Void] = []
    }

    private static let state = Mutex(State())
    /// A queue of its own, so that blocked work cannot delay the handlers.
    private static let queue = DispatchQueue(label: "squall.interruption")
    /// A terminal may deliver one ctrl-C twice: to the process and to its group. The second counts only after this
    /// time.
    private static let sameRequest = Duration.milliseconds(300)

    /// Whether a signal has arrived.
    static var isRequested: Bool { state.withLock { $0.first != nil } }

    /// The exit status of a server: `interrupted` after ctrl-C; `passed` after SIGTERM, which is how servers are
    /// stopped.
    static var serverStatus: ExitStatus { Interruption().signal == SIGINT ? .interrupted : .passed }

    /// The first signal that arrived; nil for none.
    var signal: Int32? { Self.state.withLock { $0.first?.signal } }

    /// Handles SIGINT, SIGTERM and SIGHUP for the rest of the process; the first of them calls `onFirst`.
    static func install(onFirst: @escaping @Sendable () -> Void = {}) -> Interruption {
        listen(onFirst)
        return Interruption()
    }

    /// Does work that the first SIGINT, SIGTERM or SIGHUP cancels.
    ///
    /// Cancelled work may still return what it has. The signals stay handled for the rest of the process.
    static func cancels<Output: Sendable>(
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        // The work starts only once the handlers are installed: an earlier signal would leave its processes behind.
        let (opened, gate) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in opened {}
            return try await work()
        }
        listen { task.cancel() }
        gate.finish()
        return try await task.value
    }

    /// Adds a handler. If a signal has arrived already, the handler is called at once.
    private static func listen(_ onFirst: @escaping @Sendable () -> Void) {
        let (isHeard, isNew) = state.withLock { state in
            if state.first == nil { state.handlers.append(onFirst) }
            defer { state.isListening = true }
            return (state.first != nil, !state.isListening)
        }
        if isHeard { onFirst() }
        guard isNew else { return }
        // Under nohup SIGHUP stays ignored, so that the process outlives its terminal.
        for number in [SIGINT, SIGTERM] + (IgnoredSignals.include(SIGHUP) ? [] : [SIGHUP]) {
            #if canImport(Darwin)
                // On Darwin a dispatch source sees ignored signals; elsewhere it installs its own handler.
                _ = Darwin.signal(number, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                // The source is kept alive by its own handler.
                _ = source
                take(number)
            }
            let registered = DispatchSemaphore(value: 0)
            source.setRegistrationHandler { registered.signal() }
            source.resume()
            // Before the source is registered, a signal would be lost or would kill the process.
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
            _exit(ExitStatus.interrupted.code)
        }
        Terminal.complain("\ninterrupted: stopping (interrupt again to stop at once)")
        for handler in handlers { handler() }
    }
}
