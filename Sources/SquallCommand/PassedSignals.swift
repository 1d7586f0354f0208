#if os(Linux)
    import Dispatch
    import Glibc

    /// Signals that end programs, for a command that Squall only stands in front of: it ends when the command does.
    enum PassedSignals {
        /// Takes them over for the rest of the process; one that was ignored from the beginning, as under nohup, stays so.
        static func listen(_ pass: @escaping @Sendable (Int32) -> Void) {
            for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !isIgnored(number) {
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

        private static func isIgnored(_ number: Int32) -> Bool {
            var action = sigaction()
            guard sigaction(number, nil, &action) == 0 else { return false }
            // SIG_IGN is the address 1.
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
        }
    }
#endif
