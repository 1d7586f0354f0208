import WebSocketWire

/// The HTTP status codes sent by the chat server or by an intermediary such as a captive portal (RFC 9110, RFC 6585).
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
    /// The status 423 Locked (RFC 4918).
    case locked = 423
    case tooManyRequests = 429
    case internalError = 500
    case unavailable = 503
    case networkAuthenticationRequired = 511

    /// Returns whether repeating the same request would always result in the same status, so that it must not be
    /// retried.
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
        case .ok: "The request succeeded. For a send or an upload: it had been stored before."
        case .created: "The message or file was stored."
        case .accepted: "A part of a file was stored; the rest is expected."
        case .badRequest: "The body cannot be parsed."
        case .unauthorized: "The key is missing or not accepted."
        case .forbidden: "The user is not a member of the conversation."
        case .notFound: "There is no such route, conversation or message."
        case .conflict:
            "Another message has this `client_message_id`, or the part of a file begins beyond the bytes received so "
                + "far."
        case .tooLarge: "The body or the file exceeds the server's limit."
        case .locked: "The conversation's previous prompt is still in progress."
        case .tooManyRequests: "The rate limit is exceeded; retry after `retry_after_ms`."
        case .internalError: "The server failed; a retry is safe."
        case .unavailable: "The server is starting, stopping or overloaded; a retry is safe."
        case .networkAuthenticationRequired:
            "A network in between requires a login (a captive portal). The chat server never sends it."
        }
    }
}

extension ChatResponse {
    package init(_ status: ChatStatus, body: [UInt8] = []) {
        let headers = body.isEmpty ? [] : [(name: "content-type", value: "application/json")]
        self.init(status: status.rawValue, headers: headers, body: body)
    }
}
