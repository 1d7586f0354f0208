import ChatWire
import ReferenceClient
import SquallCore

/// A connected client with the exact profile, adjusted by the closure.
func connectedDriver(_ adjust: (inout ClientProfile) -> Void = { _ in }) -> Driver {
    var profile = ClientProfile.exact
    adjust(&profile)
    var driver = Driver(profile)
    driver.startConnected()
    return driver
}

extension ClientProfile {
    /// The default profile without jitter, so that delays are exact.
    static var exact: ClientProfile {
        var profile = ClientProfile()
        profile.reconnect.jitterPercent = 0
        profile.drain.jitterPercent = 0
        return profile
    }
}

/// A message of another user; its timestamp is its sequence in seconds after a fixed instant.
func message(_ sequence: Int64, in conversation: String = "stukov", from sender: String = "stukov") -> ChatMessage {
    ChatMessage(
        id: "m\(sequence)",
        conversation: conversation,
        sender: sender,
        sequence: sequence,
        timestamp: 1_767_225_600_000 + sequence * 1000,
        text: "text \(sequence)"
    )
}
