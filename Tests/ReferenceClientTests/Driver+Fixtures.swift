import ChatWire
import ReferenceClient
import SquallCore

/// Returns a connected client with the profile ``ClientProfile/exact``, adjusted by the closure.
func connectedDriver(_ adjust: (inout ClientProfile) -> Void = { _ in }) -> Driver {
    var profile = ClientProfile.exact
    adjust(&profile)
    var driver = Driver(profile)
    driver.startConnected()
    return driver
}

extension ClientProfile {
    /// The default profile without jitter, so that reconnect delays are exact.
    static var exact: ClientProfile {
        var profile = ClientProfile()
        profile.reconnect.jitterPercent = 0
        profile.drain.jitterPercent = 0
        return profile
    }
}

/// Returns a message from another user. Its timestamp is a fixed instant plus one second per sequence number.
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

extension Driver {
    /// Returns the body with which the server confirms a request to change `target`.
    func confirmation(of target: String) -> [UInt8] {
        if target == "/push_token" { return StatusBody.ok.encode(wire) }
        let path = target.split(separator: "?").first ?? ""
        guard path.hasSuffix("/read") else { return [] }
        return UnreadCount(conversation: String(path.split(separator: "/")[1]), unread: 0, sequence: 0).encode(wire)
    }

    mutating func answerPage(_ path: String, _ messages: [ChatMessage], hasMore: Bool = false) {
        answer(path, body: MessagePage(messages: messages, hasMore: hasMore).encode(wire))
    }

    mutating func answerList(_ newest: [ChatMessage]) {
        let list = newest.map {
            ConversationSummary(id: $0.conversation, name: $0.conversation, unread: 0, lastMessage: $0)
        }
        answer("/conversations", body: ConversationList(list).encode(wire))
    }
}
