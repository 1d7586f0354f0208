import ChatWire
import Faults
import WebSocketWire

/// The reason that a connection or connection attempt ended.
enum Failure: Hashable {
    case link(LinkFailure)
    /// The upgrade request was answered with this HTTP status.
    case status(Int)
    /// The received bytes violate the HTTP or WebSocket protocol.
    case protocolError
    case closedByServer(CloseCode)
    case keyRefused
    case pongTimeout
    case connectTimeout
    case captivePortal
    /// The client itself has ended the attempt or the connection.
    case own(Reason)

    /// Whether the server has announced that it would end the connection.
    var isAnnounced: Bool { self == .own(.draining) }

    /// Whether the server has ended the connection because a message of this client was larger than it accepts (RFC
    /// 6455 section 7.4.1).
    var isForSize: Bool {
        if case .closedByServer(let code) = self { ChatCloseCode(code) == .tooBig } else { false }
    }

    enum Reason: String, Hashable {
        case draining, background, foreground, handoff, reconnect, disconnect
    }

    /// The failure's name in `connection.last_error` and in events.
    var word: String {
        switch self {
        case .link(let failure): failure.rawValue
        case .status(let status): "http_\(status)"
        case .protocolError: "protocol_error"
        case .closedByServer(let code): "closed_\(code)"
        case .keyRefused: "auth_error"
        case .pongTimeout: "pong_timeout"
        case .connectTimeout: "connect_timeout"
        case .captivePortal: "captive_portal"
        case .own(let reason): reason.rawValue
        }
    }
}
