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

/// What the user's ctrl-C, or the end of their terminal, asks for: the first ends the work in order, the second at once.
struct Interruption: Sendable {
    private struct Wish {
        let signal: Int32
        let time: ContinuousClock.Instant
    }

    private struct State {
        var first: Wish?
        var isListening = false
        /// Called once, by the first wish.
        var handlers: [@Sendable () -> Void] = []
    }

    private static let state = Mutex(State())
    /// Of its own, so that work that blocks others cannot hold it up.
    private static let queue = DispatchQueue(label: "squall.interruption")
    /// One wish may come twice: to the process and to its group.
    private static let sameWish = Duration.milliseconds(300)

    /// Whether it has been asked for.
    static var isRequested: Bool { state.withLock { $0.first != nil } }

    /// The exit status of a server that was asked to end: told to by SIGTERM it has done its work, by ctrl-C it has not.
    static var serverStatus: ExitStatus { Interruption().signal == SIGINT ? .interrupted : .passed }

    /// The signal that asked first.
    var signal: Int32? { Self.state.withLock { $0.first?.signal } }

    /// Takes SIGINT, SIGTERM and SIGHUP over for the rest of the process, for work that is told of the wish.
    static func install(onFirst: @escaping @Sendable () -> Void = {}) -> Interruption {
        listen(onFirst)
        return Interruption()
    }

    /// Does work that the first SIGINT, SIGTERM or SIGHUP cancels.
    ///
    /// What is cancelled ends as it sees fit, and gives what it has. The signals stay taken over for the rest of the process.
    static func cancels<Output: Sendable>(
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        // What the work begins must never be there before the wish can be heard.
        let (opened, gate) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in opened {}
            return try await work()
        }
        listen { task.cancel() }
        gate.finish()
        return try await task.value
    }

    /// Work that follows other work listens too; a wish that came before is heard at once.
    private static func listen(_ onFirst: @escaping @Sendable () -> Void) {
        let (isHeard, isNew) = state.withLock { state in
            if state.first == nil { state.handlers.append(onFirst) }
            defer { state.isListening = true }
            return (state.first != nil, !state.isListening)
        }
        if isHeard { onFirst() }
        guard isNew else { return }
        // Started by nohup, it is to outlive its terminal.
        for number in [SIGINT, SIGTERM] + (IgnoredSignals.include(SIGHUP) ? [] : [SIGHUP]) {
            #if canImport(Darwin)
                // Here the source sees what is ignored; elsewhere it brings a handler of its own.
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
            // Until then a signal would be lost, or be the end without order: nothing may begin before, however long.
            registered.wait()
        }
    }

    private static func take(_ number: Int32) {
        let now = ContinuousClock.now
        let (before, handlers) = state.withLock { state -> (Wish?, [@Sendable () -> Void]) in
            defer { state.handlers = [] }
            guard let first = state.first else {
                state.first = Wish(signal: number, time: now)
                return (nil, state.handlers)
            }
            return (first, [])
        }
        if let before {
            guard now - before.time >= sameWish else { return }
            LiveProcesses.killAll()
            _exit(ExitStatus.interrupted.code)
        }
        Terminal.complain("\ninterrupted: ending what is under way (once more to stop at once)")
        for handler in handlers { handler() }
    }
}
