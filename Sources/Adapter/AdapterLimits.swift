package import SquallCore

/// The limits on a client's output and on its response times.
package struct AdapterLimits: Hashable, Sendable {
    /// The maximum time from the start of the process to its answer to `init`.
    package var ready: TimeSpan
    /// The maximum time for the answer to any other command.
    package var answer: TimeSpan
    /// The maximum length of a line in bytes, without its line feed.
    package var line: Int
    /// The maximum number of lines within any ``AdapterLimits/floodSpan``.
    package var floodLines: Int
    package var floodSpan: TimeSpan
    /// The number of trailing bytes of standard error that are kept.
    package var errorBytes: Int
    /// The number of trailing lines of standard error shown in a failure's description.
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
