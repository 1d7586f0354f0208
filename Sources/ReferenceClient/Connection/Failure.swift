import Faults
import WebSocketWire

/// Why an attempt or a connection came to its end.
enum Failure: Hashable {
    case link(LinkFailure)
    /// The upgrade was answered with this status.
    case status(Int)
    /// What came is not WebSocket, or not by its rules.
    case protocolError
    case closedByServer(CloseCode)
    case keyRefused
    case pongTimeout
    case connectTimeout
    case captivePortal
    /// The client's own doing: nothing is wrong.
    case own(Reason)

    enum Reason: String, Hashable {
        case draining, background, foreground, handoff, reconnect, disconnect
    }

    /// As `connection.last_error` and the events show it.
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
