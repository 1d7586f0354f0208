#if os(Linux)
    import Dispatch
    import Glibc

    /// Passes signals that end programs on to a command that Squall wraps. Squall itself ends when the command does.
    enum PassedSignals {
        /// Handles the signals for the rest of the process. Those that were ignored from the start, as under nohup,
        /// stay ignored.
        static func listen(_ pass: @escaping @Sendable (Int32) -> Void) {
            for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !IgnoredSignals.include(number) {
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler {
                    // The source is kept alive by its own handler.
                    _ = source
                    pass(number)
                }
                let registered = DispatchSemaphore(value: 0)
                source.setRegistrationHandler { registered.signal() }
                source.resume()
                // Before the handler is registered, a signal would end Squall and kill the command with it.
                _ = registered.wait(timeout: .now() + 5)
            }
        }
    }
#endif
