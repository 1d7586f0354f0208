package import SquallCore

/// The limits on a client's output and on its response times.
package struct AdapterLimits: Hashable, Sendable {
    /// The time from the start of the process to the answer to `init`.
    package var ready: TimeSpan
    /// The time to answer any other command.
    package var answer: TimeSpan
    /// The largest length of a line in bytes, without its line feed.
    package var line: Int
    /// The largest number of lines within any ``AdapterLimits/floodSpan``.
    package var floodLines: Int
    package var floodSpan: TimeSpan
    /// The number of last bytes of standard error that are kept.
    package var errorBytes: Int
    /// The number of last lines of standard error that a failure shows.
    package var errorLines: Int

    package init(
        ready: TimeSpan = .seconds(30),
        answer: TimeSpan = .seconds(5),
        line: Int = 1 << 20,
        floodLines: Int = 10_000,
        floodSpan: TimeSpan = .seconds(1),
        errorBytes: Int = 16 << 10,
        errorLines: Int = 8
    ) {
        self.ready = ready
        self.answer = answer
        self.line = line
        self.floodLines = floodLines
        self.floodSpan = floodSpan
        self.errorBytes = errorBytes
        self.errorLines = errorLines
    }
}
