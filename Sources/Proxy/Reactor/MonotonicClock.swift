import SquallCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A monotonic clock that starts with the proxy server and is shared by all of the server's threads.
struct MonotonicClock: Sendable {
    private let beginning = Self.nanoseconds()

    private static func nanoseconds() -> Int64 {
        var time = timespec()
        #if canImport(Darwin)
            // This clock has nanosecond resolution and, like CLOCK_MONOTONIC on Linux, stops while the machine sleeps.
            clock_gettime(CLOCK_UPTIME_RAW, &time)
        #else
            clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    var now: Instant { Instant(nanoseconds: Self.nanoseconds() - beginning) }
}
