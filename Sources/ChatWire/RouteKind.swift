/// An HTTP route of the server. The raw value is its name in the trace and in a profile (`wire.path.send`).
package enum RouteKind: String, Hashable, Sendable, CaseIterable {
    case health, agents, conversations, messages, send
    case markRead = "mark_read"
    case unread, upload
    case pushToken = "push_token"
    case conversation
    case delete, media, thumbnail
}

extension RouteKind {
    package var method: String {
        switch self {
        case .health, .agents, .conversations, .messages, .unread, .conversation, .media, .thumbnail: "GET"
        case .delete: "DELETE"
        case .send, .markRead, .upload: "POST"
        case .pushToken: "PUT"
        }
    }

    /// The route's default path, which a profile can override.
    package var defaultPath: String {
        switch self {
        case .health: "/health"
        case .agents: "/agents"
        case .conversations: "/conversations"
        case .messages, .send: "/conversations/{conversation}/messages"
        case .markRead: "/conversations/{conversation}/read"
        case .unread: "/unread"
        case .upload: "/uploads/{name}"
        case .pushToken: "/push_token"
        case .delete: "/messages/{message}"
        case .media: "/media/{name}"
        case .thumbnail: "/thumbnails/{name}"
        case .conversation: "/conversations/{conversation}"
        }
    }

    /// The placeholder segment of the path, with its braces; nil if the path has none.
    package var placeholder: String? {
        switch self {
        case .messages, .send, .markRead, .conversation: "{conversation}"
        case .upload, .media, .thumbnail: "{name}"
        case .delete: "{message}"
        case .health, .agents, .conversations, .unread, .pushToken: nil
        }
    }

    /// Whether a request needs `authorization: Bearer <key>`. A health probe must work without a key.
    package var needsKey: Bool { self != .health }

    /// The query parameters of the route.
    package var query: [WireField] {
        switch self {
        case .messages: [.limit, .before, .after]
        case .upload: [.offset, .size]
        case .markRead: [.lastSequenceSeen, .userID]
        case .health, .agents, .conversations, .send, .unread, .pushToken, .conversation, .delete, .media, .thumbnail:
            []
        }
    }

    /// The routes that every chat server must have, and that the conformance tests therefore require.
    package static let tested = allCases.filter { !$0.isExtra }

    /// Whether the route is optional, so that the conformance tests do not require it.
    package var isExtra: Bool {
        switch self {
        case .delete, .media, .thumbnail, .conversation: true
        case .health, .agents, .conversations, .messages, .send, .markRead, .unread, .upload, .pushToken: false
        }
    }

    /// The name of the request body's ``ObjectShape``; nil if the body is empty or arbitrary bytes.
    package var body: String? {
        switch self {
        case .send: SendBody.shape.name
        case .pushToken: PushRegistration.shape.name
        case .health, .agents, .conversations, .messages, .markRead, .unread, .upload, .conversation, .delete, .media,
            .thumbnail:
            nil
        }
    }

    /// The name of the successful response body's ``ObjectShape``; nil if it is arbitrary bytes.
    package var answer: String? {
        switch self {
        case .health, .pushToken: StatusBody.shape.name
        case .agents: AgentList.shape.name
        case .conversations: ConversationList.shape.name
        case .messages: MessagePage.shape.name
        case .send: ServerFrame.Confirmation.shape.name
        case .markRead: UnreadCount.shape.name
        case .unread: UnreadCounts.shape.name
        case .upload: UploadReceipt.shape.name
        case .delete: ChatMessage.shape.name
        case .media, .thumbnail: nil
        case .conversation: ConversationSummary.shape.name
        }
    }

    /// A one-line description of the route.
    package var meaning: String {
        switch self {
        case .health: "Checks that this is the chat server and that it is running. Needs no key."
        case .agents:
            "The agents that the user can write to. Agents that share a conversation are the members of a group."
        case .conversations: "This user's conversations, with the last message of each."
        case .messages:
            "A page of one conversation: the newest messages, those older than the message `before`, or those stored "
                + "after the sequence number `after`."
        case .send: "Stores a message, once for each `client_message_id`."
        case .markRead:
            "Marks the conversation as read for the user of the key, up to the sequence number `last_seq_seen` or, "
                + "without it, up to its newest message. Rejected if `user_id` is another user."
        case .unread: "The number of unread messages in each conversation."
        case .upload:
            "Stores a file under that name, once. The body is the file, or the part of it that begins at byte `offset` "
                + "of `size`. Bytes that the server already has are skipped."
        case .delete:
            "Deletes a message of this user, for all users: its record is kept, its text is no longer sent. A repeat "
                + "has no effect; a request from another user is rejected with `not_sender`."
        case .media: "Downloads the file with that name; 404 until it is complete."
        case .thumbnail: "Downloads the thumbnail of the file."
        case .pushToken: "Sets the device for this user's notifications, or removes it if there is no token."
        case .conversation: "One conversation, by its id: 404 if it does not exist, 403 if the user is not a member."
        }
    }
}
