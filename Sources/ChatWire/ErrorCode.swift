/// The code of an `error` frame or body, open: a server may know codes that this client does not.
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

    /// The codes that the protocol names, each with what it means to who receives it.
    package static let known: [(code: ErrorCode, meaning: String)] = [
        (.rateLimited, "More sends than the server takes. Nothing was stored; wait for `retry_after_ms` and repeat."),
        (
            .sessionLocked,
            "The prompt before this one is still being worked on. Nothing was stored; repeat when it is done."
        ),
        (.unknownType, "The server does not know this `type`. The connection goes on."),
        (
            .malformed,
            "No JSON object, a field missing or of the wrong kind, or a `client_message_id` of another message."
        ),
        (.notMember, "The conversation exists, but this user is not in it. A repeat will not help."),
        (.unknownConversation, "There is no such conversation. A repeat will not help."),
        (.tooLarge, "The text is longer than the server takes. Nothing was stored; a repeat will not help."),
        (.notAuthenticated, "No key, or one that is not accepted. Over HTTP only: on the socket `auth_error` says it."),
        (
            .internalError,
            "The server failed, or cannot serve now. Whether it stored anything is unknown; a repeat is safe."
        ),
        (.notSender, "Only who sent a message may delete it. A repeat will not help."),
    ]
}
