import ChatWire
import SquallCore

/// A message in the client's memory.
struct Message {
    /// The message's name in the trace: the client message id if it has one, otherwise the server's id.
    let key: String
    /// The server-assigned ID; nil until the server has confirmed the message.
    var id: String?
    let conversation: String
    let sender: String
    let text: String
    /// The message's time in milliseconds since 1970: by the phone's clock until the message is confirmed, then by the
    /// server's clock.
    var timestamp: Int64
    var sequence: Int64?
    let isOwn: Bool
    /// Whether another user has read the message.
    var isRead = false
    var media: MessageMedia?
    /// Whether the message was deleted, so that only a placeholder is displayed.
    var isDeleted = false

    /// Creates an unconfirmed message from the client's own user.
    init(_ entry: OutboxEntry, sender: String) {
        key = entry.key
        conversation = entry.conversation
        self.sender = sender
        text = entry.text
        timestamp = entry.createdAt
        isOwn = true
        media = entry.image?.media
    }

    init(_ message: ChatMessage, in conversation: String, isOwn: Bool) {
        key = message.clientMessageID ?? message.id
        id = message.id
        self.conversation = conversation
        sender = message.sender
        text = message.text
        timestamp = message.timestamp
        sequence = message.sequence
        self.isOwn = isOwn
        media = message.media
        isDeleted = message.isDeleted ?? false
    }

    var kind: MessageKind {
        if isDeleted { return .deleted }
        return switch media?.type {
        case nil: .text
        case MessageMedia.image?: .image
        case .some: .unsupported
        }
    }
}

// MARK: - Storage

extension Message {
    static let storePrefix = "cache/"

    /// The key in the store; nil for an unconfirmed message, which the outbox stores.
    var storeKey: String? { id.map { Message.storePrefix + conversation + "/" + $0 } }

    var stored: JSON {
        var fields: JSON = [
            "key": .string(key),
            "id": id.map { .string($0) } ?? .null,
            "conversation": .string(conversation),
            "sender": .string(sender),
            "text": .string(text),
            "timestamp": .integer(timestamp),
            "sequence": sequence.map { .integer($0) } ?? .null,
            "own": .bool(isOwn),
        ]
        if let media { fields.set("media", to: media.stored) }
        if isDeleted { fields.set("deleted", to: true) }
        if isRead { fields.set("read", to: true) }
        return fields
    }

    init?(stored: JSON) {
        guard let key = stored["key"]?.stringValue, let id = stored["id"]?.stringValue,
            let conversation = stored["conversation"]?.stringValue, let sender = stored["sender"]?.stringValue,
            let text = stored["text"]?.stringValue, let timestamp = stored["timestamp"]?.intValue,
            let isOwn = stored["own"]?.boolValue
        else { return nil }
        self.key = key
        self.id = id
        self.conversation = conversation
        self.sender = sender
        self.text = text
        self.timestamp = timestamp
        sequence = stored["sequence"]?.intValue
        self.isOwn = isOwn
        media = MessageMedia(stored: stored["media"])
        isDeleted = stored["deleted"]?.boolValue ?? false
        isRead = stored["read"]?.boolValue ?? false
    }
}
