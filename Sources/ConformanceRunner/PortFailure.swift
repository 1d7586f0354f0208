import Sockets

/// A port that cannot be had.
package struct PortFailure: Error, Sendable, CustomStringConvertible {
    private let reason: String

    package var description: String { "\(reason); name another with --port, where 0 takes any that is free" }

    /// Does what opens a port.
    static func naming<Value>(_ open: () throws(SocketError) -> Value) throws(PortFailure) -> Value {
        do { return try open() } catch { throw PortFailure(reason: "\(error)") }
    }
}
