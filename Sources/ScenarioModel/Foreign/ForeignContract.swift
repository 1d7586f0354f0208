package import Adapter

/// An event about the process of a foreign client (one that is not Squall's own). The world (simulated or live) reports
/// such events to the run.
package enum ForeignInput: Hashable, Sendable {
    /// The process is running and uses these addresses to reach its server. `isReused` means that it has already served
    /// another run.
    case started(AdapterAddresses, isReused: Bool)
    case couldNotStart(String)
    /// Bytes from the client's standard output.
    case output([UInt8])
    /// Bytes from the client's standard error.
    case errors([UInt8])
    case outputClosed
    case exited(ProcessEnd)
    /// A client that is not a child process has ended, or has violated a rule outside the adapter protocol.
    case gone(AdapterFailure.Kind)
    /// The client has so many open connections that Squall has run out of file descriptors.
    case exhausted(connections: Int, descriptors: Int)
}

/// An action on a foreign client's process that the run requests from its world (simulated or live). To terminate the
/// process, the run requests ``TransportOutput/kill(_:)``.
package enum ForeignOutput: Hashable, Sendable {
    /// Start the process, and pass it the path of its WebSocket and the key that the server accepts. The answer is
    /// `started`.
    case launch(webSocketPath: String, key: String)
    /// Write to the client's standard input.
    case write([UInt8])
    /// Close the client's standard input once all pending data has been written.
    case closeInput
    /// Freeze the process.
    case pause
    case resume
    /// Set whether the process may be reused for another run. By default it may not.
    case reusable(Bool)
    /// Ask the person at the client to perform a step, such as `send "hello" to stukov`.
    case request(String)
}
