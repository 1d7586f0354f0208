#if os(Linux)
    import Dispatch
    import Glibc

    /// Signals that end programs, for a command that Squall only stands in front of: it ends when the command does.
    enum PassedSignals {
        /// Takes them over for the rest of the process; one that was ignored from the beginning, as under nohup, stays so.
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
                // Until then a signal would be the end of Squall, and of the command without a word.
                _ = registered.wait(timeout: .now() + 5)
            }
        }
    }
#endif
