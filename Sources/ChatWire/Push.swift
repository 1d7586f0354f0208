/// The content of a push notification: enough to notify the user of a message and to open it.
///
/// It is delivered by the phone's push service, whether the app runs or not, and not over the chat server's
/// connections.
package struct Push: Hashable, Sendable {
    /// The user who is notified.
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

/// Whether the phone allows an app to show notifications.
package enum PushPermission: String, Hashable, Sendable, CaseIterable {
    case granted, denied
}
