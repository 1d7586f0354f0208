package import Foundations

/// What a person or the phone does to a chat client.
package enum ClientCommand: Hashable, Sendable {
    // user
    case open(conversation: String)
    /// `label` names the message in the scenario and in the trace.
    case send(conversation: String?, text: String, label: String?)
    case retry(label: String)
    case retryAll
    case reconnect
    /// Leaves, until a ``reconnect``.
    case disconnect
    case refresh
    case dismissBanner
    /// Goes through the captive portal's login and comes back.
    case portalLogin
    case markRead(conversation: String)
    /// Has the server run a command.
    case execute(String)
    /// Ends what runs in a conversation, or a command by its id.
    case stop(id: String)
    /// A new credential in the store.
    case setKey(String)
    // device
    case start
    case background
    case foreground
    /// The process stops running while the world goes on; ends by itself after the span.
    case suspend(TimeSpan, wake: WakeOrder)
    case network(reachable: Bool)
    /// Wi-Fi to cellular or back: the old path is dead.
    case handoff
    /// Ends the process; what was not stored is gone. It comes back after `down`, or when told to start.
    case kill(down: TimeSpan?)
}

/// The two orders in which a phone wakes.
package enum WakeOrder: String, Hashable, Sendable, CaseIterable {
    case timersFirst = "timers_first"
    case framesFirst = "frames_first"
}
