#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The signals that were ignored when Squall was started, as SIGHUP is under nohup.
enum IgnoredSignals {
    /// Whether a signal is ignored. Call this before installing a handler for it.
    static func include(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        // SIG_IGN is the address 1.
        return unsafeBitCast(handler, to: Int.self) == 1
    }
}
