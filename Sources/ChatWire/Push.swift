/// What a push brings to a phone: enough to tell the user of a message, and to lead there.
///
/// It travels by the phone's own push service, whether the app runs or not, and not over the chat server's connections.
package struct Push: Hashable, Sendable {
    /// Whom it is for.
    package var user: String
    package var conversation: String
    /// The server's id of the message.
    package var message: String
    package var sender: String
    package var text: String

    package init(for user: String, conversation: String, message: String, sender: String, text: String) {
        self.user = user
        self.conversation = conversation
        self.message = message
        self.sender = sender
        self.text = text
    }
}

/// Whether the phone lets an app notify its user.
package enum PushPermission: String, Hashable, Sendable, CaseIterable {
    case granted, denied
}
