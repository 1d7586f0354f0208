import ChatWire
import SquallCore

/// A frame's details in the trace, apart from its role: the key of its message and a few small fields.
struct FrameNote: Hashable, Sendable {
    var key: String?
    var fields: JSON

    init(key: String? = nil, _ fields: JSON = .object([])) {
        self.key = key
        self.fields = fields
    }
}

extension MessageStore {
    /// Returns the details of a client's frame. They never contain the API key of a `connect` frame.
    func note(of frame: ClientFrame) -> FrameNote {
        switch frame {
        case .connect(let connect): FrameNote(["resuming": .bool(connect.session != nil)])
        case .ping, .pong: FrameNote()
        case .send(let send): FrameNote(key: send.clientMessageID, ["conversation": .string(send.conversation)])
        case .messageAck(let id): FrameNote(key: key(of: id))
        case .sync(let last): FrameNote(["last_sequence": .integer(last)])
        case .readReceipt(let conversation, let id):
            FrameNote(key: key(of: id), ["conversation": .string(conversation)])
        case .typing(let conversation, let active):
            FrameNote(["conversation": .string(conversation), "active": .bool(active)])
        case .executeCommand(let text): FrameNote(["text": .string(text)])
        case .stop(let id): FrameNote(["id": .string(id)])
        }
    }

    /// Returns the details of a server's frame. They never contain the session ID of a `connected` frame.
    func note(of frame: ServerFrame) -> FrameNote {
        switch frame {
        case .hello(let version, let authVersion, _):
            FrameNote(["version": .string(version), "auth_version": .integer(authVersion)])
        case .connected(let connected):
            FrameNote(["resumed": .bool(connected.resumed), "last_sequence": .integer(connected.lastSequence)])
        case .authError, .ping, .pong: FrameNote()
        case .confirm(let confirmation):
            FrameNote(
                key: confirmation.clientMessageID,
                ["sequence": .integer(confirmation.sequence), "duplicate": .bool(confirmation.duplicate)]
            )
        case .message(let message):
            FrameNote(
                key: message.key,
                .fields([
                    ("conversation", .string(message.conversation)), ("sequence", .integer(message.sequence)),
                    ("sender", .string(message.sender)), ("truncated", message.isTruncated ? true : nil),
                ])
            )
        case .replay(let replay):
            FrameNote([
                "count": .integer(Int64(replay.messages.count)), "complete": .bool(replay.complete),
                "last_sequence": .integer(replay.lastSequence),
            ])
        case .readReceipt(let conversation, let id, let reader):
            FrameNote(key: key(of: id), ["conversation": .string(conversation), "reader": .string(reader)])
        case .typing(let conversation, let user, let active):
            FrameNote(["conversation": .string(conversation), "user": .string(user), "active": .bool(active)])
        case .token(let token):
            FrameNote(
                key: token.messageID,
                [
                    "conversation": .string(token.conversation), "index": .integer(token.index),
                    "final": .bool(token.final),
                ]
            )
        case .presence(let user, let status, _, _, _):
            FrameNote(["user": .string(user), "status": .string(status.rawValue)])
        case .error(let error):
            FrameNote(
                key: error.clientMessageID,
                .fields([
                    ("code", .string(error.code.word)),
                    ("retry_after", error.retryAfter.map { .integer($0.nanoseconds) }),
                ])
            )
        case .draining(_, let retryAfter):
            FrameNote(.fields([("retry_after", retryAfter.map { .integer($0.nanoseconds) })]))
        case .commandStarted(let id, let text): FrameNote(["id": .string(id), "text": .string(text)])
        case .stopped(let id): FrameNote(["id": .string(id)])
        case .deleted(let deletion):
            FrameNote(
                key: key(of: deletion.messageID),
                ["conversation": .string(deletion.conversation), "by": .string(deletion.by)]
            )
        }
    }
}

extension FrameNote {
    /// Returns the fields that a client frame with this role can have in the trace, for the event registry.
    static func clientFields(_ role: FrameRole) -> [EventField] {
        switch role {
        case .connect: [.flag("resuming")]
        case .send, .readReceipt: ["conversation"]
        case .sync: [.integer("last_sequence")]
        case .typing: ["conversation", .flag("active")]
        case .executeCommand: ["text"]
        case .stop: ["id"]
        default: []
        }
    }

    /// Returns the fields that a server frame with this role can have in the trace, for the event registry.
    static func serverFields(_ role: FrameRole) -> [EventField] {
        switch role {
        case .hello: ["version", .integer("auth_version")]
        case .connected: [.flag("resumed"), .integer("last_sequence")]
        case .confirm: [.integer("sequence"), .flag("duplicate")]
        case .message: ["conversation", .integer("sequence"), "sender", .flag("truncated")]
        case .replay: [.integer("count"), .flag("complete"), .integer("last_sequence")]
        case .readReceipt: ["conversation", "reader"]
        case .typing: ["conversation", "user", .flag("active")]
        case .token: ["conversation", .integer("index"), .flag("final")]
        case .presence: ["user", "status"]
        case .error: ["code", .duration("retry_after")]
        case .draining: [.duration("retry_after")]
        case .commandStarted: ["id", "text"]
        case .stopped: ["id"]
        case .deleted: ["conversation", "by"]
        default: []
        }
    }

    /// Returns whether the `[key]` after the event's name identifies a message.
    static func isAboutMessage(_ role: FrameRole) -> Bool {
        switch role {
        case .send, .messageAck, .readReceipt, .confirm, .message, .token, .error, .deleted: true
        default: false
        }
    }
}

extension JSON {
    /// Creates an object from the members whose value is not nil.
    static func fields(_ members: [(String, JSON?)]) -> JSON {
        var present: [JSONMember] = []
        present.reserveCapacity(members.count)
        for case (let name, let value?) in members { present.append(JSONMember(name, value)) }
        return .object(present)
    }
}
