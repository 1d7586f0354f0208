import ChatWire

/// A message that somebody wants to see, and the conversation where it stands.
struct MessageTarget: Hashable {
    let conversation: String
    /// The server's id.
    let message: String
}

extension MessageTarget {
    init(_ push: Push) {
        self.init(conversation: push.conversation, message: push.message)
    }
}
