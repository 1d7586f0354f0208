package import ChatWire
package import SquallCore

/// The events that record frames in the trace.
///
/// The credential is never recorded.
package enum FrameLog {
    /// The event names for messages in a protocol whose frames are unknown.
    package static let sentText = "client.sent.text"
    package static let receivedText = "client.received.text"

    static func note(ofText text: String) -> JSON {
        ["kind": "text", "bytes": .integer(Int64(text.utf8.count))]
    }

    private static let texts: [RegistryEntry] = [
        (sentText, "The client has sent a message in a protocol whose frames Squall does not know."),
        (
            receivedText,
            "The client has received a message in a protocol whose frames Squall does not know, or a WebSocket pong "
                + "(`kind: pong`)."
        ),
    ]
    .map { name, meaning in
        .event(name, ["kind", .integer("bytes")], provenance: .observed, level: .wire, meaning)
    }

    static let registry: [RegistryEntry] =
        texts
        + FrameRole.fromClient.map { role in
            .event(
                FrameNames.sentByClient[role],
                fields(ofClient: role),
                key: key(role),
                provenance: .observed,
                level: .wire,
                "The client has sent \(role.inWords)."
            )
        }
        + FrameRole.fromServer.map { role in
            .event(
                FrameNames.receivedByClient[role],
                fields(ofServer: role),
                key: key(role),
                provenance: .observed,
                level: .wire,
                "The client has received \(role.inWords)."
            )
        }

    private static func key(_ role: FrameRole) -> String? {
        switch role {
        case .send, .confirm, .message, .messageAck, .readReceipt, .token, .error, .deleted: "message"
        default: nil
        }
    }

    private static func fields(ofClient role: FrameRole) -> [EventField] {
        switch role {
        case .connect: ["session"]
        case .ping, .pong: ["id"]
        case .send, .readReceipt: ["conversation"]
        case .sync: [.integer("last_sequence")]
        case .typing: ["conversation", .flag("active")]
        case .executeCommand: ["text"]
        case .stop: ["id"]
        default: []
        }
    }

    private static func fields(ofServer role: FrameRole) -> [EventField] {
        switch role {
        case .hello: ["version", .integer("auth_version")]
        case .connected: [.flag("resumed"), .integer("last_sequence")]
        case .authError: ["message"]
        case .ping, .pong: ["id"]
        case .confirm: [.integer("sequence"), .flag("duplicate")]
        case .message: ["conversation", .integer("sequence"), .flag("truncated")]
        case .replay: [.integer("count"), .flag("complete"), .integer("last_sequence")]
        case .readReceipt: ["conversation", "reader"]
        case .typing: ["conversation", "user", .flag("active")]
        case .token: [.integer("index"), .flag("final")]
        case .presence: ["user", "status"]
        case .error: ["code", "message"]
        case .draining: [.duration("retry_after")]
        case .commandStarted: ["id", "text"]
        case .stopped: ["id"]
        case .deleted: ["conversation", "by"]
        default: []
        }
    }
}

extension Step {
    mutating func logSent(_ frame: ClientFrame) {
        let (key, fields) = frame.traced
        logWire(FrameNames.sentByClient[frame.role], key: key, fields)
    }

    mutating func logReceived(_ frame: ServerFrame) {
        let (key, fields) = frame.traced
        logWire(FrameNames.receivedByClient[frame.role], key: key, fields)
    }
}

extension ClientFrame {
    /// The frame's key and fields in the trace.
    package var traced: (key: String?, fields: JSON) {
        switch self {
        case .connect(let connect):
            (nil, ["session": connect.session.map { .string($0) } ?? .null])
        case .ping(let id), .pong(let id):
            (nil, ["id": id.map { .string($0) } ?? .null])
        case .send(let request):
            (request.clientMessageID, ["conversation": .string(request.conversation)])
        case .messageAck(let id):
            (id, [:])
        case .sync(let lastSequence):
            (nil, ["last_sequence": .integer(lastSequence)])
        case .readReceipt(let conversation, let messageID):
            (messageID, ["conversation": .string(conversation)])
        case .typing(let conversation, let active):
            (nil, ["conversation": .string(conversation), "active": .bool(active)])
        case .executeCommand(let text):
            (nil, ["text": .string(text)])
        case .stop(let id):
            (nil, ["id": .string(id)])
        }
    }
}

extension ServerFrame {
    /// The frame's key and fields in the trace.
    package var traced: (key: String?, fields: JSON) {
        switch self {
        case .hello(let version, let authVersion, _):
            (nil, ["version": .string(version), "auth_version": .integer(authVersion)])
        case .connected(let connected):
            (nil, ["resumed": .bool(connected.resumed), "last_sequence": .integer(connected.lastSequence)])
        case .authError(let message):
            (nil, ["message": .string(message)])
        case .ping(let id), .pong(let id, _):
            (nil, ["id": id.map { .string($0) } ?? .null])
        case .confirm(let confirmation):
            (
                confirmation.clientMessageID,
                ["sequence": .integer(confirmation.sequence), "duplicate": .bool(confirmation.duplicate)]
            )
        case .message(let message):
            (message.clientMessageID ?? message.id, message.traced)
        case .replay(let replay):
            (
                nil,
                [
                    "count": .integer(Int64(replay.messages.count)), "complete": .bool(replay.complete),
                    "last_sequence": .integer(replay.lastSequence),
                ]
            )
        case .readReceipt(let conversation, let messageID, let reader):
            (messageID, ["conversation": .string(conversation), "reader": .string(reader)])
        case .typing(let conversation, let user, let active):
            (nil, ["conversation": .string(conversation), "user": .string(user), "active": .bool(active)])
        case .token(let token):
            (token.messageID, ["index": .integer(token.index), "final": .bool(token.final)])
        case .presence(let user, let status, _, _, _):
            (nil, ["user": .string(user), "status": .string(status.rawValue)])
        case .error(let error):
            (error.clientMessageID, ["code": .string(error.code.word), "message": .string(error.message)])
        case .draining(_, let retryAfter):
            (nil, ["retry_after": retryAfter.map { .integer($0.nanoseconds) } ?? .null])
        case .commandStarted(let id, let text):
            (nil, ["id": .string(id), "text": .string(text)])
        case .stopped(let id):
            (nil, ["id": .string(id)])
        case .deleted(let deletion):
            (
                deletion.messageID,
                ["conversation": .string(deletion.conversation), "by": .string(deletion.by)]
            )
        }
    }
}

extension ChatMessage {
    fileprivate var traced: JSON {
        var fields: JSON = ["conversation": .string(conversation), "sequence": .integer(sequence)]
        if isTruncated { fields.set("truncated", to: true) }
        return fields
    }
}
