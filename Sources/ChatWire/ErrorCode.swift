/// The code of an `error` frame or body. The set of codes is open: a server may use codes that a client does not know.
package struct ErrorCode: Hashable, Sendable {
    package let word: String

    package init(_ word: String) {
        self.word = word
    }

    package static let rateLimited = ErrorCode("rate_limited")
    package static let sessionLocked = ErrorCode("session_locked")
    package static let unknownType = ErrorCode("unknown_type")
    package static let malformed = ErrorCode("malformed")
    package static let notMember = ErrorCode("not_member")
    package static let unknownConversation = ErrorCode("unknown_conversation")
    package static let tooLarge = ErrorCode("too_large")
    package static let notAuthenticated = ErrorCode("not_authenticated")
    package static let internalError = ErrorCode("internal_error")
    package static let notSender = ErrorCode("not_sender")

    /// The codes that the protocol defines, each with its meaning for the receiver.
    package static let known: [(code: ErrorCode, meaning: String)] = [
        (.rateLimited, "The client exceeds the rate limit. Nothing was stored; retry after `retry_after_ms`."),
        (
            .sessionLocked,
            "The conversation's previous prompt is still in progress. Nothing was stored; retry when it is done."
        ),
        (.unknownType, "The server does not know this `type`. The connection stays open."),
        (
            .malformed,
            "The frame or body is not a JSON object, a field is missing or of the wrong kind, or another message has "
                + "this `client_message_id`."
        ),
        (.notMember, "The user is not a member of the conversation. A retry will not help."),
        (.unknownConversation, "There is no such conversation. A retry will not help."),
        (.tooLarge, "The text exceeds the server's limit. Nothing was stored; a retry will not help."),
        (
            .notAuthenticated,
            "The key is missing or not accepted. Over HTTP only; on the WebSocket the server sends `auth_error`."
        ),
        (
            .internalError,
            "The server failed or is unavailable. Whether it stored anything is unknown; a retry is safe."
        ),
        (.notSender, "Only the sender of a message may delete it. A retry will not help."),
    ]
}
