import ChatWire
import SquallCore

/// A sample of every frame and object, with all optional fields.
enum Samples {
    static let message = ChatMessage(
        id: "m-41",
        conversation: "stukov",
        sender: "anna",
        sequence: 41,
        timestamp: 1_772_368_245_250,
        text: "Say \"hi\" to Zoë \u{1F44B}\n",
        isTruncated: true,
        clientMessageID: "c-12",
        media: media,
        isDeleted: true,
        deletedAt: 1_772_368_245_999,
        deletedBy: "anna"
    )

    static let media = MessageMedia(
        type: "image",
        url: "/media/a%2Fb",
        thumbnailURL: "/thumbnails/a%2Fb",
        metadata: MediaMetadata(width: 4000, height: 3000)
    )

    static let confirmation = ServerFrame.Confirmation(
        clientMessageID: "c-12",
        messageID: "m-41",
        sequence: 41,
        timestamp: 1_772_368_245_250,
        duplicate: true
    )

    static let error = ServerFrame.ServerError(
        code: .rateLimited,
        message: "Too many messages",
        retryAfter: .milliseconds(1500),
        clientMessageID: "c-12",
        id: "error-1"
    )

    static let clientFrames: [ClientFrame] = [
        .connect(
            .init(
                key: "key-1",
                session: "s-7",
                maxMessageSize: 262_144,
                freshness: .init(nonce: "n-1", timestamp: 1_772_368_245_250)
            )
        ),
        .ping(id: "p-3"),
        .pong(id: "h-1"),
        .send(.init(clientMessageID: "c-12", conversation: "stukov", text: "\u{0} \\ \" é ☂ \u{10FFFF}", media: media)),
        .messageAck(id: "m-41"),
        .sync(lastSequence: 40),
        .readReceipt(conversation: "stukov", messageID: "m-41"),
        .typing(conversation: "stukov", active: true),
        .executeCommand(text: "make test"),
        .stop(id: "stukov"),
    ]

    static let serverFrames: [ServerFrame] = [
        .hello(version: "0.2.0", authVersion: 1, heartbeatInterval: .seconds(25)),
        .connected(.init(session: "s-7", resumed: true, lastSequence: 42, user: "anna", time: 1_772_368_245_250)),
        .authError(message: "Authentication failed"),
        .ping(id: "h-1"),
        .pong(id: "p-3", time: 1_772_368_245_250),
        .confirm(confirmation),
        .message(message),
        .replay(.init(messages: [message, message], complete: false, lastSequence: 42)),
        .readReceipt(conversation: "stukov", messageID: "m-41", reader: "stukov"),
        .typing(conversation: "stukov", user: "stukov", active: false),
        .token(.init(conversation: "stukov", messageID: "m-43", index: 0, text: "Let me ", final: false)),
        .presence(
            user: "stukov",
            status: .busy,
            lastSeen: 1_772_368_080_000,
            since: 1_772_368_080_500,
            text: "Running the tests"
        ),
        .error(error),
        .draining(message: "Server shutting down", retryAfter: .seconds(5)),
        .commandStarted(id: "cmd-7d1e8c1a-93f1-4b52-8f0e-2f5d0a9c4b11", text: "make test"),
        .stopped(id: "stukov"),
        .deleted(.init(conversation: "stukov", messageID: "m-41", at: 1_772_368_245_999, by: "anna")),
    ]

    /// Client frames without optional fields, and with values at their limits.
    static let bareClientFrames: [ClientFrame] = [
        .connect(.init(key: "")),
        .ping(id: nil),
        .send(.init(clientMessageID: nil, conversation: "", text: "")),
        .sync(lastSequence: 0),
        .sync(lastSequence: .max),
        .sync(lastSequence: 9_007_199_254_740_993),
    ]

    static let bareServerFrames: [ServerFrame] = [
        .hello(version: "", authVersion: 0),
        .ping(id: nil),
        .pong(id: nil),
        .message(
            ChatMessage(id: "", conversation: "", sender: "", sequence: .max, timestamp: 253_402_300_799_999, text: "")
        ),
        .replay(.init(messages: [], complete: true, lastSequence: .max)),
        .presence(user: "stukov", status: .offline, lastSeen: nil),
        .error(.init(code: ErrorCode("never_heard_of"), message: "")),
        .draining(message: "", retryAfter: nil),
        .draining(message: "", retryAfter: .zero),
        .draining(message: "", retryAfter: .forever),
    ]

    static let objects: [any WireObject] = [
        MediaMetadata(width: 0, height: .max),
        message,
        confirmation,
        error,
        SendBody(clientMessageID: "c-12", text: "On my way.", media: media),
        MessagePage(messages: [message, message], hasMore: true),
        ConversationSummary(id: "stukov", name: "Stukov", unread: 3, lastMessage: message),
        ConversationList([ConversationSummary(id: "stukov", name: "Stukov", unread: 0)]),
        Agent(
            user: "stukov",
            conversation: "stukov",
            name: "Stukov",
            status: .idle,
            lastSeen: 0,
            about: "Adjutant",
            text: "Idle"
        ),
        AgentList([Agent(user: "stukov", conversation: "stukov", name: "Stukov", status: .online)]),
        UnreadCount(conversation: "stukov", unread: 3, sequence: 41),
        UnreadCounts([UnreadCount(conversation: "stukov", unread: 0)]),
        PushRegistration(token: "device-5"),
        UploadReceipt(received: 32_768, isComplete: true, url: "/media/a", thumbnailURL: "/thumbnails/a"),
        StatusBody.ok,
    ]

    static let bareObjects: [any WireObject] = [
        MessagePage(messages: [], hasMore: false),
        SendBody(clientMessageID: nil, text: ""),
        SendBody(clientMessageID: nil, text: "", media: MessageMedia(type: "video")),
        UploadReceipt(received: 0, isComplete: false),
        PushRegistration(token: nil),
        AgentList([]),
    ]
}

/// Profiles that define the same protocol with different names and formats.
enum Spelling: String, CaseIterable {
    case plain
    /// Every name differs from the default, and some names need escaping in JSON and in URLs.
    case renamed
    /// Timestamps are integers, and messages have the same `type` value in both directions.
    case mobile

    var wire: WireProfile {
        var wire = WireProfile()
        switch self {
        case .plain: break
        case .renamed:
            for role in FrameRole.allCases { wire[type: role] = "\u{22}\(role.rawValue.uppercased())" }
            for field in WireField.allCases { wire[field] = "ü &=\(field.defaultName)\\" }
            for route in RouteKind.allCases { wire[path: route] = "/api/v1/\(route.rawValue)\(route.defaultPath)" }
            wire.webSocketPath = "/api/socket"
        case .mobile:
            wire.timestampForm = .milliseconds
            wire[type: .send] = "chat_message"
            wire[type: .message] = "chat_message"
            wire[.conversationID] = "agentId"
        }
        return wire
    }
}

/// Encodes the object and returns the result of decoding it again.
func reread<Object: WireObject>(_ object: Object, _ wire: WireProfile) throws -> Object {
    try Object.decode(object.encode(wire), wire)
}
