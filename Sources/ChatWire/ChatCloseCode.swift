package import WebSocketWire

/// The WebSocket close codes that the chat protocol gives a meaning (RFC 6455, section 7.4.1, and its IANA registry).
package enum ChatCloseCode: UInt16, Hashable, Sendable, CaseIterable {
    case clean = 1000
    case goingAway = 1001
    case policy = 1008
    case tooBig = 1009
    case serverError = 1011
    case restart = 1012
    case tryLater = 1013

    /// As a close frame carries it.
    package var code: CloseCode { CloseCode(rawValue) }

    /// Nil for a code that the protocol says nothing about.
    package init?(_ code: CloseCode) {
        self.init(rawValue: code.rawValue)
    }

    package var meaning: String {
        switch self {
        case .clean: "One side is done: the user left, or another connection took the session up. Do not come back."
        case .goingAway: "The server stops, as `draining` has announced. Come back after its `retry_after_ms`."
        case .policy: "The key was refused, after `auth_error`. Come back with another key only."
        case .tooBig: "A message longer than the other side takes. The same message will fail again."
        case .serverError: "The server failed. Come back with the usual backoff."
        case .restart: "The server restarts. Come back with the usual backoff."
        case .tryLater: "The server is overloaded. Come back with the usual backoff."
        }
    }
}
