import ChatWire

/// A message to show, and the conversation that it belongs to.
struct MessageTarget: Hashable {
    let conversation: String
    /// The server's id of the message.
    let message: String
}

extension MessageTarget {
    init(_ push: Push) {
        self.init(conversation: push.conversation, message: push.message)
    }
}
