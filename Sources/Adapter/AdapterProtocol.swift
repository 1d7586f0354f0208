/// The adapter protocol, version 1: one JSON object per line, from Squall to the client on standard input and from the
/// client to Squall on standard output.
package enum AdapterProtocol {
    package static let version: Int64 = 1
}

/// The clock that a client's timers follow.
package enum AdapterClock: String, Hashable, Sendable {
    /// Real time.
    case wall
    /// The run's clock. The client's time changes only when Squall sends `advance`, and the run skips periods in which
    /// neither Squall nor the client has anything to do.
    case virtual
}
