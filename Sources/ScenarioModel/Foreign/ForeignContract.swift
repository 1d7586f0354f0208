package import Adapter

/// What a foreign client's process brings to a run.
package enum ForeignInput: Hashable, Sendable {
    /// It runs, and finds its server there. One that is reused has served another run.
    case started(AdapterAddresses, isReused: Bool)
    case couldNotStart(String)
    /// Bytes of its standard output.
    case output([UInt8])
    /// Bytes of its standard error.
    case errors([UInt8])
    case outputClosed
    case exited(ProcessEnd)
    /// One that has no process is gone, or has made a mistake that no line can tell of.
    case gone(AdapterFailure.Kind)
    /// It has so many connections open that this process, which may have so many descriptors, can have no more.
    case exhausted(connections: Int, descriptors: Int)
}

/// What a run wants done with a foreign client's process, beside `kill`.
package enum ForeignOutput: Hashable, Sendable {
    /// Start it, with the path of its WebSocket and the credential that the server accepts; answered by `started`.
    case launch(webSocketPath: String, key: String)
    /// To its standard input.
    case write([UInt8])
    /// Its standard input ends behind what was written.
    case closeInput
    /// The process stands still.
    case pause
    case resume
    /// Whether, at the run's end, the process may be left to another run; it may not unless this says so.
    case reusable(Bool)
}
