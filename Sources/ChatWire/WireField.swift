/// The protocol's JSON members and query parameters, all of which a profile may rename.
///
/// The raw value is the index in a profile's table of names and never appears on the wire.
package enum WireField: Int, Hashable, Sendable, CaseIterable {
    case type
    // Identifiers
    case id, messageID, clientMessageID, conversationID, senderID, userID, readerID, sessionID
    // Order and time
    case sequence, lastSequence, lastSequenceSeen, index, timestamp, lastSeen
    // Message and error content
    case text, message, messages, code, status, name
    // State and settings
    case resumed, duplicate, complete, final, active, unread, hasMore, truncated
    case version, authVersion, apiKey, retryAfter, heartbeatInterval, maxMessageSize, nonce
    // HTTP only
    case agents, conversations, lastMessage, pushToken, before, after, limit, offset, size, received
    // Images and deletions
    case mediaType, mediaURL, thumbnailURL, mediaMetadata, width, height, isDeleted, deletedAt, deletedBy
    case about
    case since, statusText

    /// The wire name, in snake_case, unless the profile sets another. It is also the name in `wire.field.…`.
    package var defaultName: String {
        switch self {
        case .type: "type"
        case .id: "id"
        case .messageID: "message_id"
        case .clientMessageID: "client_message_id"
        case .conversationID: "conversation_id"
        case .senderID: "sender_id"
        case .userID: "user_id"
        case .readerID: "reader_id"
        case .sessionID: "session_id"
        case .sequence: "seq"
        case .lastSequence: "last_seq"
        case .lastSequenceSeen: "last_seq_seen"
        case .index: "index"
        case .timestamp: "timestamp"
        case .lastSeen: "last_seen"
        case .text: "text"
        case .message: "message"
        case .messages: "messages"
        case .code: "code"
        case .status: "status"
        case .name: "name"
        case .resumed: "resumed"
        case .duplicate: "duplicate"
        case .complete: "complete"
        case .final: "final"
        case .active: "active"
        case .unread: "unread"
        case .hasMore: "has_more"
        case .truncated: "truncated"
        case .version: "version"
        case .authVersion: "auth_version"
        case .apiKey: "api_key"
        case .retryAfter: "retry_after_ms"
        case .heartbeatInterval: "heartbeat_interval_ms"
        case .maxMessageSize: "max_message_size"
        case .nonce: "nonce"
        case .agents: "agents"
        case .conversations: "conversations"
        case .lastMessage: "last_message"
        case .pushToken: "push_token"
        case .before: "before"
        case .after: "after"
        case .limit: "limit"
        case .offset: "offset"
        case .size: "size"
        case .received: "received"
        case .mediaType: "media_type"
        case .mediaURL: "media_url"
        case .thumbnailURL: "thumbnail_url"
        case .mediaMetadata: "media_metadata"
        case .width: "width"
        case .height: "height"
        case .isDeleted: "is_deleted"
        case .deletedAt: "deleted_at"
        case .deletedBy: "deleted_by"
        case .about: "about"
        case .since: "since"
        case .statusText: "status_text"
        }
    }
}
