import ChatWire
import Foundations

/// What the trace says of a frame besides its role: which message it is about, and a few small fields.
struct FrameNote: Hashable, Sendable {
    var key: String?
    var fields: JSON

    init(key: String? = nil, _ fields: JSON = .object([])) {
        self.key = key
        self.fields = fields
    }
}

extension FrameNote {
    /// The key of a `connect` stays out.
    init(_ frame: ClientFrame, _ store: MessageStore) {
        switch frame {
        case .connect(let connect): self.init(["resuming": .bool(connect.session != nil)])
        case .ping, .pong: self.init()
        case .send(let send): self.init(key: send.clientMessageID, ["conversation": .string(send.conversation)])
        case .messageAck(let id): self.init(key: store.key(of: id))
        case .sync(let last): self.init(["last_sequence": .integer(last)])
        case .readReceipt(let conversation, let id):
            self.init(key: store.key(of: id), ["conversation": .string(conversation)])
        case .typing(let conversation, let active):
            self.init(["conversation": .string(conversation), "active": .bool(active)])
        case .executeCommand(let text): self.init(["text": .string(text)])
        case .stop(let id): self.init(["id": .string(id)])
        }
    }

    /// The session of a `connected` stays out.
    init(_ frame: ServerFrame, _ store: MessageStore) {
        switch frame {
        case .hello(let version, let authVersion, _):
            self.init(["version": .string(version), "auth_version": .integer(authVersion)])
        case .connected(let connected):
            self.init(["resumed": .bool(connected.resumed), "last_sequence": .integer(connected.lastSequence)])
        case .authError, .ping, .pong: self.init()
        case .confirm(let confirmation):
            self.init(
                key: confirmation.clientMessageID,
                ["sequence": .integer(confirmation.sequence), "duplicate": .bool(confirmation.duplicate)]
            )
        case .message(let message):
            var fields: JSON = [
                "conversation": .string(message.conversation), "sequence": .integer(message.sequence),
                "sender": .string(message.sender),
            ]
            if message.isTruncated { fields.set("truncated", to: true) }
            self.init(key: message.key, fields)
        case .replay(let replay):
            self.init([
                "count": .integer(Int64(replay.messages.count)), "complete": .bool(replay.complete),
                "last_sequence": .integer(replay.lastSequence),
            ])
        case .readReceipt(let conversation, let id, let reader):
            self.init(key: store.key(of: id), ["conversation": .string(conversation), "reader": .string(reader)])
        case .typing(let conversation, let user, let active):
            self.init(["conversation": .string(conversation), "user": .string(user), "active": .bool(active)])
        case .token(let token):
            self.init(
                key: token.messageID,
                [
                    "conversation": .string(token.conversation), "index": .integer(token.index),
                    "final": .bool(token.final),
                ]
            )
        case .presence(let user, let status, _):
            self.init(["user": .string(user), "status": .string(status.rawValue)])
        case .error(let error):
            self.init(
                key: error.clientMessageID,
                .fields([
                    ("code", .string(error.code.word)),
                    ("retry_after", error.retryAfter.map { .integer($0.nanoseconds) }),
                ])
            )
        case .draining(_, let retryAfter):
            self.init(.fields([("retry_after", retryAfter.map { .integer($0.nanoseconds) })]))
        case .commandStarted(let id, let text): self.init(["id": .string(id), "text": .string(text)])
        case .stopped(let id): self.init(["id": .string(id)])
        }
    }
}

extension FrameNote {
    /// The names of the fields that the frames of a role may have, for the registry.
    static func clientFields(_ role: FrameRole) -> [String] {
        switch role {
        case .connect: ["resuming"]
        case .send, .readReceipt: ["conversation"]
        case .sync: ["last_sequence"]
        case .typing: ["conversation", "active"]
        case .executeCommand: ["text"]
        case .stop: ["id"]
        default: []
        }
    }

    static func serverFields(_ role: FrameRole) -> [String] {
        switch role {
        case .hello: ["version", "auth_version"]
        case .connected: ["resumed", "last_sequence"]
        case .confirm: ["sequence", "duplicate"]
        case .message: ["conversation", "sequence", "sender", "truncated"]
        case .replay: ["count", "complete", "last_sequence"]
        case .readReceipt: ["conversation", "reader"]
        case .typing: ["conversation", "user", "active"]
        case .token: ["conversation", "index", "final"]
        case .presence: ["user", "status"]
        case .error: ["code", "retry_after"]
        case .draining: ["retry_after"]
        case .commandStarted: ["id", "text"]
        case .stopped: ["id"]
        default: []
        }
    }

    /// Whether the `[key]` behind the name is a message.
    static func isAboutMessage(_ role: FrameRole) -> Bool {
        switch role {
        case .send, .messageAck, .readReceipt, .confirm, .message, .token, .error: true
        default: false
        }
    }
}

extension JSON {
    /// An object of those members that there are.
    static func fields(_ members: [(String, JSON?)]) -> JSON {
        .object(members.compactMap { name, value in value.map { JSONMember(name, $0) } })
    }
}
