package import ChatWire

/// The target of a request to the server: one of its HTTP routes, or the WebSocket.
package enum ServerRoute: Hashable, Sendable {
    case webSocket
    case http(RouteKind)

    package static let all: [ServerRoute] = [.webSocket] + RouteKind.allCases.map(ServerRoute.http)

    /// The route's name in scenario files and in the trace, such as `messages` in `server.requested.messages`.
    package var word: String {
        switch self {
        case .webSocket: "ws"
        case .http(let kind): kind.rawValue
        }
    }

    package init?(word: String) {
        guard let route = Self.all.first(where: { $0.word == word }) else { return nil }
        self = route
    }
}
