import ChatWire

/// A message to display, and its conversation.
struct MessageTarget: Hashable {
    let conversation: String
    /// The message's server-assigned ID.
    let message: String
}

extension MessageTarget {
    init(_ push: Push) {
        self.init(conversation: push.conversation, message: push.message)
    }
}
