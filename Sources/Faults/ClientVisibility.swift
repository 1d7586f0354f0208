import SquallCore

/// The actions of a client that the relay cannot observe. Each case includes the cases before it.
package enum ClientVisibility: Int, Comparable, Sendable {
    case nothing
    /// Connection attempts that do not lead to a connection on which a request is read.
    case attempts
    /// Writes to a connection that the relay does not read.
    case everything

    package static func < (left: ClientVisibility, right: ClientVisibility) -> Bool { left.rawValue < right.rawValue }
}

extension Fault {
    /// Returns the actions of a client that the relay cannot observe while the fault lasts.
    ///
    /// If the link uses TLS (`underTLS`), a request is read only once the handshake is complete.
    package func hides(underTLS: Bool) -> ClientVisibility {
        // An instantaneous fault does not affect new connections.
        if behaviour.duration(given: duration) == .zero, behaviour.hides == .attempts { return .nothing }
        guard underTLS, let handshake = behaviour.handshake, handshake != .completes(.valid) else {
            return behaviour.hides
        }
        return max(behaviour.hides, .attempts)
    }
}
