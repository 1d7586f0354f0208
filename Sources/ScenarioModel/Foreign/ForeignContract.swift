package import Adapter

/// A world's report to a run about a foreign client's process.
package enum ForeignInput: Hashable, Sendable {
    /// The process runs and finds its server at these addresses. A reused process has served another run.
    case started(AdapterAddresses, isReused: Bool)
    case couldNotStart(String)
    /// Bytes of standard output.
    case output([UInt8])
    /// Bytes of standard error.
    case errors([UInt8])
    case outputClosed
    case exited(ProcessEnd)
    /// A client without a process has ended, or has made a mistake outside the adapter protocol.
    case gone(AdapterFailure.Kind)
    /// The client has so many open connections that Squall has no file descriptor left for another.
    case exhausted(connections: Int, descriptors: Int)
}

/// A run's request to a world about a foreign client's process, besides `kill`.
package enum ForeignOutput: Hashable, Sendable {
    /// Start the process, with the path of its WebSocket and the credential that the server accepts; answered by
    /// `started`.
    case launch(webSocketPath: String, key: String)
    /// Write to standard input.
    case write([UInt8])
    /// Close standard input after everything that was written before.
    case closeInput
    /// Freeze the process.
    case pause
    case resume
    /// Whether the process may be used for another run afterwards. Without this effect it may not.
    case reusable(Bool)
}
