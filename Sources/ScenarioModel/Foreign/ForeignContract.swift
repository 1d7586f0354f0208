package import Adapter

/// A world's report to a run about a foreign client's process.
package enum ForeignInput: Hashable, Sendable {
    /// The process runs, and reaches its server at these addresses. A reused process has already served another run.
    case started(AdapterAddresses, isReused: Bool)
    case couldNotStart(String)
    /// Bytes from the client's standard output.
    case output([UInt8])
    /// Bytes from the client's standard error.
    case errors([UInt8])
    case outputClosed
    case exited(ProcessEnd)
    /// A client without a process has ended, or has violated a rule outside the adapter protocol.
    case gone(AdapterFailure.Kind)
    /// The client has so many open connections that Squall has no file descriptor left for another.
    case exhausted(connections: Int, descriptors: Int)
}

/// A run's request to a world about a foreign client's process, except for `kill`.
package enum ForeignOutput: Hashable, Sendable {
    /// Start the process, with the path of its WebSocket and the key that the server accepts; answered by `started`.
    case launch(webSocketPath: String, key: String)
    /// Write to the client's standard input.
    case write([UInt8])
    /// Close the client's standard input after everything that has been written.
    case closeInput
    /// Freeze the process.
    case pause
    case resume
    /// Set whether the process may be used for another run afterwards. By default it may not.
    case reusable(Bool)
}
