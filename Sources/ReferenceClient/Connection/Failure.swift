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
