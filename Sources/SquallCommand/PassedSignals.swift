#if os(Linux)
    import Dispatch
    import Glibc

    /// Forwards termination signals to a command that Squall runs. Squall itself ends when the command ends.
    enum PassedSignals {
        /// Calls `pass` with each termination signal, until the process ends. Signals that were ignored when Squall
        /// started, as under nohup, remain ignored.
        static func listen(_ pass: @escaping @Sendable (Int32) -> Void) {
            for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !IgnoredSignals.include(number) {
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler {
                    // The handler retains the source, which would otherwise be released.
                    _ = source
                    pass(number)
                }
                let registered = DispatchSemaphore(value: 0)
                source.setRegistrationHandler { registered.signal() }
                source.resume()
                // A signal that arrives before the handler is registered would end Squall, and the command with it.
                _ = registered.wait(timeout: .now() + 5)
            }
        }
    }
#endif
