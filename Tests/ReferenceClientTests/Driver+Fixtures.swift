import ChatWire
import ReferenceClient
import SquallCore

/// A client that is connected, by the exact profile as adjusted.
func connectedDriver(_ adjust: (inout ClientProfile) -> Void = { _ in }) -> Driver {
    var profile = ClientProfile.exact
    adjust(&profile)
    var driver = Driver(profile)
    driver.startConnected()
    return driver
}

extension ClientProfile {
    /// Without jitter, so that delays can be told.
    static var exact: ClientProfile {
        var profile = ClientProfile()
        profile.reconnect.jitterPercent = 0
        profile.drain.jitterPercent = 0
        return profile
    }
}

/// A message of somebody else, its clock a second a sequence.
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
