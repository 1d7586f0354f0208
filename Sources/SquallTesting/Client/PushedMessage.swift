import Adapter

/// The content of a push notification that reaches a phone.
public struct PushedMessage: Hashable, Sendable {
    /// The user who receives the notification.
    public let user: String
    /// The conversation that contains the message.
    public let conversation: String
    /// The message's server-assigned id.
    public let message: String
    /// The user who wrote the message.
    public let sender: String
    /// The text of the message.
    public let text: String

    /// Parses a push command; returns nil if a field is missing.
    init?(_ command: AdapterCommand) {
        guard let user = command.text("user"), let conversation = command.text("conversation"),
            let message = command.text("message"),
            let sender = command.text("sender"), let text = command.text("text")
        else { return nil }
        self.user = user
        self.conversation = conversation
        self.message = message
        self.sender = sender
        self.text = text
    }
}
