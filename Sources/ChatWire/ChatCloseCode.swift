package import WebSocketWire

/// The WebSocket close codes that the chat protocol defines (RFC 6455, section 7.4.1, and its IANA registry).
package enum ChatCloseCode: UInt16, Hashable, Sendable, CaseIterable {
    case clean = 1000
    case goingAway = 1001
    case policy = 1008
    case tooBig = 1009
    case serverError = 1011
    case restart = 1012
    case tryLater = 1013

    /// The code as it is sent in a close frame.
    package var code: CloseCode { CloseCode(rawValue) }

    /// Creates the case for a close code; fails for a code that the chat protocol does not define.
    package init?(_ code: CloseCode) {
        self.init(rawValue: code.rawValue)
    }

    package var meaning: String {
        switch self {
        case .clean: "Normal closure: the user left, or another connection resumed the session. Do not reconnect."
        case .goingAway: "The server stops, as `draining` has announced. Reconnect after its `retry_after_ms`."
        case .policy: "The key was rejected, after `auth_error`. Reconnect only with another key."
        case .tooBig: "A message exceeds the other side's limit. The same message will fail again."
        case .serverError: "The server failed. Reconnect with the usual backoff."
        case .restart: "The server restarts. Reconnect with the usual backoff."
        case .tryLater: "The server is overloaded. Reconnect with the usual backoff."
        }
    }
}
