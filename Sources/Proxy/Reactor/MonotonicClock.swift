import Foundations

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Time since a proxy began, the same on all its threads.
struct MonotonicClock: Sendable {
    private let beginning = Self.nanoseconds()

    private static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    var now: Instant { Instant(nanoseconds: Self.nanoseconds() - beginning) }
}
