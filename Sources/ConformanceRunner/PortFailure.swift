import Sockets

/// The error for a port that could not be opened.
package struct PortFailure: Error, Sendable, CustomStringConvertible {
    private let reason: String

    package var description: String { "\(reason); choose another with --port, or 0 for any free port" }

    /// Calls `open`, and adds a hint about `--port` to any error that it throws.
    static func naming<Value>(_ open: () throws(SocketError) -> Value) throws(PortFailure) -> Value {
        do { return try open() } catch { throw PortFailure(reason: "\(error)") }
    }
}
