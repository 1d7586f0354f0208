/// Which of the server's HTTP routes; the raw value is its word in the trace and in a profile (`wire.path.send`).
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

    /// The path where the profile gives no other.
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

    /// The segment of the path that each request fills in, braces and all.
    package var placeholder: String? {
        switch self {
        case .messages, .send, .markRead, .conversation: "{conversation}"
        case .upload, .media, .thumbnail: "{name}"
        case .delete: "{message}"
        case .health, .agents, .conversations, .unread, .pushToken: nil
        }
    }

    /// Whether a request carries `authorization: Bearer <key>`; a probe must work without one.
    package var needsKey: Bool { self != .health }

    /// The query's fields.
    package var query: [WireField] {
        switch self {
        case .messages: [.limit, .before, .after]
        case .upload: [.offset, .size]
        case .markRead: [.userID]
        case .health, .agents, .conversations, .send, .unread, .pushToken, .conversation, .delete, .media, .thumbnail:
            []
        }
    }

    /// Those that every chat server has.
    package static let judged = allCases.filter { !$0.isExtra }

    /// Whether a server need not have it: nobody is judged by it.
    package var isExtra: Bool {
        switch self {
        case .delete, .media, .thumbnail, .conversation: true
        case .health, .agents, .conversations, .messages, .send, .markRead, .unread, .upload, .pushToken: false
        }
    }

    /// The ``ObjectShape`` of the request's body; nil where it is empty, or bytes of any kind.
    package var body: String? {
        switch self {
        case .send: SendBody.shape.name
        case .pushToken: PushRegistration.shape.name
        case .health, .agents, .conversations, .messages, .markRead, .unread, .upload, .conversation, .delete, .media,
            .thumbnail:
            nil
        }
    }

    /// The ``ObjectShape`` of the answer's body when all is well; nil where it is bytes of any kind.
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

    /// One line.
    package var meaning: String {
        switch self {
        case .health: "Whether this is the chat server and it is up; needs no key."
        case .agents: "Who can be written to. Those who share a conversation are the members of a group."
        case .conversations: "This user's conversations with the last message of each."
        case .messages:
            "A page of one conversation: the newest messages, those older than the message `before`, or those stored "
                + "after the sequence `after`."
        case .send: "Stores a message, once for each `client_message_id`."
        case .markRead:
            "All of the conversation has been read, by the user whose key it is; for any other that `user_id` names it is refused."
        case .unread: "How many messages are unread, for each conversation."
        case .upload:
            "Stores a file under that name, once. The body is the file, or with `offset` and `size` the part of it that begins at "
                + "that byte of so many; what the server has of it already is passed over."
        case .delete:
            "Deletes a message of this user, for everybody: its record is kept, its text is given out no more. A repeat changes "
                + "nothing; who did not send it is refused with `not_sender`."
        case .media: "What was uploaded under that name, as a whole; 404 until it is."
        case .thumbnail: "A small picture of it."
        case .pushToken: "Where to send this user's notifications; without a token, nowhere."
        case .conversation: "One conversation, by its id: 404 where it is gone, 403 where it is not this user's."
        }
    }
}
