import ChatWire
import SquallCore

// Actions for accounts and notifications.

extension ServerAction {
    static let people = [
        ActionEntry(
            .server,
            "account",
            main: "user",
            [
                Parameter("user", .text, required: true, "the user"),
                Parameter("key", .text, required: true, "the key that logs a client in as that user"),
            ],
            "Assigns a user a key of their own."
        ),
        ActionEntry(
            .server,
            "push",
            main: "to",
            takesLabel: true,
            [
                Parameter("to", .text, required: true, "the conversation that the notification is about"),
                Parameter("for", .text, "the user who is notified; default: every user with a device"),
                Parameter("text", .text, "the text of the message"),
                Parameter(
                    "back",
                    .integer(0...most),
                    "the position of the message, counted back from the newest (0); default: a message that is not "
                        + "stored"
                ),
                Parameter(
                    "times",
                    .integer(1...most),
                    "the number of times that the notification is pushed; default 1"
                ),
            ],
            "Pushes a notification, whether or not its message exists. Posted messages are pushed automatically."
        ),
        ActionEntry(
            .server,
            "remove_conversation",
            main: "conversation",
            [Parameter("conversation", .text, required: true, "the conversation")],
            "Deletes a conversation with all its messages."
        ),
    ]

    static func person(_ verb: String, _ arguments: Arguments) -> ServerAction? {
        switch verb {
        case "account":
            guard let user = arguments.text("user"), let key = arguments.text("key") else { return nil }
            return .account(user: user, key: key)
        case "push":
            guard let conversation = arguments.text("to") else { return nil }
            var order = PushOrder(conversation: conversation)
            order.user = arguments.text("for")
            order.text = arguments.text("text")
            order.back = arguments.integer("back")
            order.times = arguments.integer("times") ?? 1
            order.label = arguments.label
            guard (1...most).contains(order.times), order.back.map({ (0...most).contains($0) }) ?? true else {
                return nil
            }
            return .push(order)
        case "remove_conversation": return arguments.text("conversation").map { .removeConversation($0) }
        default: return nil
        }
    }
}
