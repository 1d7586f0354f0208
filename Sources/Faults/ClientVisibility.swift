import SquallCore

/// What a client may do without the relay seeing it. Each case includes those before it.
package enum ClientVisibility: Int, Comparable, Sendable {
    case nothing
    /// Attempts to connect that do not become a connection on which a request is read.
    case attempts
    /// Writes to a connection that is not read.
    case everything

    package static func < (left: ClientVisibility, right: ClientVisibility) -> Bool { left.rawValue < right.rawValue }
}

extension Fault {
    /// What a client may do unseen by the relay while the fault lasts.
    ///
    /// On a link with TLS (`underTLS`) a request is read only once the handshake has completed.
    package func hides(underTLS: Bool) -> ClientVisibility {
        // An instantaneous fault does not affect new connections.
        if behaviour.duration(given: duration) == .zero, behaviour.hides == .attempts { return .nothing }
        guard underTLS, let handshake = behaviour.handshake, handshake != .completes(.valid) else {
            return behaviour.hides
        }
        return max(behaviour.hides, .attempts)
    }
}
