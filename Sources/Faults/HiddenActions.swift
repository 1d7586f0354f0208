import SquallCore

/// The client actions that a fault hides from the relay. Each case includes the cases before it.
package enum HiddenActions: Int, Comparable, Sendable {
    case nothing
    /// Connection attempts that end before the relay has read a request.
    case attempts
    /// Connection attempts, and data written by a client to a connection from which the relay does not read.
    case everything

    package static func < (left: HiddenActions, right: HiddenActions) -> Bool { left.rawValue < right.rawValue }
}

extension Fault {
    /// Returns the client actions that the relay cannot observe while the fault lasts.
    ///
    /// If the link uses TLS (`underTLS`), the relay can read a request only after the handshake.
    package func hiddenActions(underTLS: Bool) -> HiddenActions {
        // An instantaneous fault does not affect new connections.
        if behaviour.duration(given: duration) == .zero, behaviour.hiddenActions == .attempts { return .nothing }
        guard underTLS, let handshake = behaviour.handshake, handshake != .completes(.valid) else {
            return behaviour.hiddenActions
        }
        return max(behaviour.hiddenActions, .attempts)
    }
}
