import SquallCore

/// What of a client's doings may leave no trace at the relay.
package enum ClientVisibility: Int, Comparable, Sendable {
    case nothing
    /// Attempts to connect that never come to be a connection on which a request is read.
    case attempts
    /// Those, and what is written into a connection that is not read.
    case everything

    package static func < (left: ClientVisibility, right: ClientVisibility) -> Bool { left.rawValue < right.rawValue }
}

extension Fault {
    /// What of a client's doings the relay may not get to see while this lasts.
    ///
    /// `underTLS`: its link has TLS, so that a request is only read once a handshake is done.
    package func hides(underTLS: Bool) -> ClientVisibility {
        let behaviour = kind.behaviour
        // What is over at once meets no connection that comes.
        if behaviour.duration(given: duration) == .zero, behaviour.hides == .attempts { return .nothing }
        guard underTLS, let handshake = behaviour.handshake, handshake != .completes(.valid) else {
            return behaviour.hides
        }
        return max(behaviour.hides, .attempts)
    }
}
