/// The content of a push notification, which is sufficient to notify the user of a message and to open it.
///
/// The phone's push service delivers a push whether or not the app is running. Pushes do not use the connections to the
/// chat server.
package struct Push: Hashable, Sendable {
    /// The user who is notified.
    package var user: String
    package var conversation: String
    /// The message's server-assigned ID.
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

/// The phone's permission for an app to display notifications.
package enum PushPermission: String, Hashable, Sendable, CaseIterable {
    case granted, denied
}
