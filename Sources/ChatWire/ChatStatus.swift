import WebSocketWire

/// The HTTP statuses that the chat server and the networks before it answer with (RFC 9110, RFC 6585).
package enum ChatStatus: Int, Hashable, Sendable, CaseIterable {
    case ok = 200
    case created = 201
    case accepted = 202
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case conflict = 409
    case tooLarge = 413
    /// RFC 4918.
    case locked = 423
    case tooManyRequests = 429
    case internalError = 500
    case unavailable = 503
    case networkAuthenticationRequired = 511

    /// Whether the same request would be answered so again, whenever it came.
    package static func isFinal(_ status: Int) -> Bool {
        switch ChatStatus(rawValue: status) {
        case .badRequest, .forbidden, .notFound, .conflict, .tooLarge: true
        default: false
        }
    }

    /// The reason phrase of the status line.
    package var phrase: String { HTTPResponseHead.usualReason(rawValue) }

    package var meaning: String {
        switch self {
        case .ok: "Done. For a send or an upload: it had been stored before."
        case .created: "Stored."
        case .accepted: "A part of a file is stored; the rest is wanted."
        case .badRequest: "A body that cannot be read."
        case .unauthorized: "No key, or one that the server does not accept."
        case .forbidden: "Not this user's conversation."
        case .notFound: "No such route, conversation or message."
        case .conflict:
            "A `client_message_id` that another message has, or a part of a file beyond what the server has of it."
        case .tooLarge: "A body, or a file that comes in parts, longer than the server takes."
        case .locked: "The prompt before this one is still being worked on."
        case .tooManyRequests: "Over the rate limit; `retry_after_ms` says for how long."
        case .internalError: "The server failed; a repeat is safe."
        case .unavailable: "The server is starting, stopping or overloaded; a repeat is safe."
        case .networkAuthenticationRequired: "A network between wants a login first; never from the chat server."
        }
    }
}

extension ChatResponse {
    package init(_ status: ChatStatus, body: [UInt8] = []) {
        let headers = body.isEmpty ? [] : [(name: "content-type", value: "application/json")]
        self.init(status: status.rawValue, headers: headers, body: body)
    }
}
