import ChatWire
import SquallCore

// Declarations of the actions for messages, users and accounts.

extension ServerAction {
    static let messages: [ServerActionDeclaration] = [
        .init(
            "post",
            main: "to",
            "Stores messages and sends them to every client. Several messages are labelled label-1, label-2 and so on.",
            text("to", "the name of the conversation"),
            count(default: 1, "the number of messages"),
            text("text", "the text of each message; default: a text that contains the message's number").optional,
            text("sender", "the user who sends the messages; default: the user with the conversation's name").optional,
            text("media", "the media type of each message: image, or an unknown type; default: none").optional,
            integer("bytes", in: 1...16_777_216, default: 100_000, "the size of each image in bytes"),
            integer("width", in: 1...65_535, default: 1200, "the image's width in pixels"),
            integer("height", in: 1...65_535, default: 900, "the image's height in pixels"),
            duration("every", default: .zero, "the interval between messages"),
            label
        ) { conversation, count, text, sender, type, bytes, width, height, every, label in
            var post = Post(to: conversation, count: count, text: text, sender: sender, label: label)
            post.media = type.map { PostedMedia(type: $0, bytes: bytes, width: width, height: height) }
            post.every = every
            return .post(post)
        },
        .init(
            "history",
            "Stores messages without sending them, as if they had been sent before the run.",
            text("conversation", "the conversation of the messages"),
            count("the number of messages"),
            duration("age", default: .seconds(86_400), "the age of the newest message; each earlier one is 1s older")
        ) { .history(ServerHistory(conversation: $0, count: $1, age: $2)) },
        .init(
            "stream",
            "Writes a message token by token, then stores and sends it.",
            text("conversation", "the conversation"),
            text("text", "the whole message"),
            count(named: "pieces", default: 4, "the number of tokens, at most one per character"),
            duration("every", default: .milliseconds(100), "the interval between tokens"),
            label
        ) { .stream(Stream(conversation: $0, text: $1, pieces: $2, every: $3, label: $4)) },
        .init(
            "type",
            main: "conversation",
            "Notifies every client that a user begins or stops typing.",
            text("conversation", "the conversation"),
            text("user", "the user who types; default: the user with the conversation's name").optional,
            flag("active", default: true, "whether typing begins or ends")
        ) { .type(conversation: $0, user: $1 ?? $0, active: $2) },
        .init(
            "presence",
            "Sets a user's presence and sends it to every client.",
            text("user", "the user"),
            word("status", of: PresenceStatus.allCases, "the user's new status"),
            text("text", "the status text").optional
        ) { .presence(user: $0, $1, text: $2) },
        .init(
            "identify",
            "Assigns a client to a user, as one of the user's devices.",
            client("the client"),
            text("user", "the user; several clients may act for one user")
        ) { .identify($0, user: $1) },
        .init(
            "group",
            main: "conversation",
            "Turns a conversation into a group; the `agents` route lists its members.",
            text("conversation", "the group's conversation"),
            names("members", "the members' names, separated by spaces")
        ) { .group(conversation: $0, members: $1) },
        .init(
            "error",
            main: "code",
            "Sends an error that does not answer any request.",
            text("code", "the error code; it may be a code that clients do not know"),
            text("message", "the error's text; default: the code").optional,
            duration("retry_after", "the delay that the error requests").optional,
            client
        ) { code, message, delay, client in
            .error(.init(code: ErrorCode(code), message: message ?? code, retryAfter: delay), client: client)
        },
        .init(
            "say",
            main: "json",
            "Sends a WebSocket text message with any content.",
            json("json", "the frame to send, without changes; a label becomes its `message_id`").optional,
            text("text", "the text to send instead of a frame; it need not be JSON").optional,
            client,
            label
        ) { json, text, client, label in
            guard var json else { return text.map { .say(.text($0), client: client) } }
            if let label { json.set("message_id", to: .string(label)) }
            return .say(.json(json), client: client)
        },
        .init(
            "binary",
            main: "bytes",
            "Sends a WebSocket binary message, which the chat protocol does not use.",
            ActionParameter("bytes", .text, range: "pairs of hexadecimal digits", "the bytes in hexadecimal") {
                $0.text.flatMap(bytes(fromHex:))
            },
            client
        ) { .say(.binary($0), client: $1) },
        .init(
            "introduce",
            main: "id",
            "Adds a user to the users that the `agents` route lists, even if no message exists yet.",
            text("id", "the user's id, which is also the conversation's"),
            text("name", "the display name; default: the id").optional,
            word("status", of: PresenceStatus.allCases, default: .online, "the user's status"),
            text("about", "a one-line description of the user").optional,
            duration("last_seen", "the time since the user was last online, at the start of the run").optional
        ) { .introduce(Introduction(id: $0, name: $1, status: $2, about: $3, lastSeen: $4)) },
    ]

    static let people: [ServerActionDeclaration] = [
        .init(
            "account",
            main: "user",
            "Assigns a user a key of their own.",
            text("user", "the user"),
            text("key", "the key that logs a client in as that user")
        ) { .account(user: $0, key: $1) },
        .init(
            "push",
            main: "to",
            "Pushes a notification, whether or not its message exists. Posted messages are pushed automatically.",
            text("to", "the conversation that the notification is about"),
            text("for", "the user who is notified; default: every user with a device").optional,
            text("text", "the text of the message").optional,
            integer(
                "back",
                in: 0...most,
                "the position of the message, counted back from the newest (0); default: a message that is not stored"
            ).optional,
            count(named: "times", default: 1, "the number of times that the notification is pushed"),
            label
        ) { .push(PushOrder(conversation: $0, user: $1, text: $2, back: $3, times: $4, label: $5)) },
        .init(
            "remove_conversation",
            main: "conversation",
            "Deletes a conversation with all its messages.",
            text("conversation", "the conversation")
        ) { .removeConversation($0) },
    ]

    /// Decodes pairs of hexadecimal digits, optionally separated by spaces; returns nil for any other text.
    private static func bytes(fromHex text: String) -> [UInt8]? {
        let digits = text.filter { $0 != " " }.map { $0.isASCII ? $0.hexDigitValue : nil }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
