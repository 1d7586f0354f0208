package import SquallCore

/// The adapter protocol, version 1: one JSON object a line, from Squall on standard input, to Squall on standard output.
package enum AdapterProtocol {
    package static let version: Int64 = 1
}

/// How much is taken from a client, and how long it is waited for.
package struct AdapterLimits: Hashable, Sendable {
    /// How long `init` may take, from the start of the process.
    package var ready: TimeSpan
    /// How long any other command may take.
    package var answer: TimeSpan
    /// Bytes of a line, its line feed not counted.
    package var line: Int
    /// Lines within any ``AdapterLimits/floodSpan``.
    package var floodLines: Int
    package var floodSpan: TimeSpan
    /// Bytes of standard error that are kept: the last ones.
    package var errorBytes: Int
    /// Lines of standard error that a failure shows: the last ones.
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
