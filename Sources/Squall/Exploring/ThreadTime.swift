import SquallCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Measures the calling thread's processor time, which is unaffected by other work on the machine.
enum ThreadTime {
    static func measure<Output>(_ work: () throws -> Output) rethrows -> (output: Output, spent: TimeSpan) {
        let begun = now
        let output = try work()
        return (output, TimeSpan(nanoseconds: now - begun))
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
