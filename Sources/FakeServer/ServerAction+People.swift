import ChatWire
import SquallCore

// Accounts and notifications.

extension ServerAction {
    static let people = [
        ActionEntry(
            .server,
            "account",
            main: "user",
            [
                Parameter("user", .text, required: true, "who"),
                Parameter("key", .text, required: true, "the key that lets its bearer in as that user"),
            ],
            "Gives a user a key of their own."
        ),
        ActionEntry(
            .server,
            "push",
            main: "to",
            takesLabel: true,
            [
                Parameter("to", .text, required: true, "the conversation that it is about"),
                Parameter("for", .text, "the user; everybody who has a device where it is left out"),
                Parameter("text", .text, "what the message says"),
                Parameter(
                    "back",
                    .integer(0...most),
                    "it is about the message so many before the newest; about one that is stored nowhere, unless said"
                ),
                Parameter("times", .integer(1...most), "how often the same is pushed; 1"),
            ],
            "Pushes a notification, whether or not there is a message. Posts are pushed by themselves."
        ),
        ActionEntry(
            .server,
            "remove_conversation",
            main: "conversation",
            [Parameter("conversation", .text, required: true, "which one")],
            "Deletes a conversation with all that is in it."
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
