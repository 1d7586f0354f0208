#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Detects signals that were ignored when Squall was started, such as SIGHUP under nohup.
enum IgnoredSignals {
    /// Returns whether a signal is ignored. The function must be called before a handler for the signal is installed.
    static func include(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        // `SIG_IGN` is defined as the address 1.
        return unsafeBitCast(handler, to: Int.self) == 1
    }
}
