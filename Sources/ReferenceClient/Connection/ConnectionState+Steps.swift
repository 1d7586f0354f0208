extension ConnectionState {
    /// The states that may follow this one.
    ///
    /// There is one way to be connected: a key that was sent and accepted. A phone without a network or with the app put away
    /// tries nothing, and a client that has given up does not go on by itself.
    var next: [ConnectionState] {
        switch self {
        case .idle: [.connecting, .authRequired, .offline, .suspended]
        case .connecting: [.authenticating, .authRequired, .degraded, .unavailable] + Self.retreats
        case .authenticating: [.connected, .connecting, .authRequired, .degraded, .unavailable] + Self.retreats
        case .connected: [.draining, .connecting, .authRequired, .degraded, .unavailable] + Self.retreats
        case .draining: [.connecting, .authRequired, .degraded, .unavailable] + Self.retreats
        case .reconnecting:
            [.authenticating, .connecting, .authRequired, .degraded, .unavailable] + Self.outside
        case .degraded: [.authenticating, .connecting, .authRequired] + Self.outside
        case .offline: [.connecting, .authRequired, .suspended, .idle]
        case .captivePortal: [.connecting, .offline, .suspended, .idle]
        case .suspended: [.connecting, .authRequired, .offline, .idle]
        case .authRequired, .unavailable: [.connecting, .offline, .suspended, .idle]
        }
    }

    /// What the phone, its user or the network can put any connection in.
    private static let outside: [ConnectionState] = [.offline, .suspended, .captivePortal, .idle]
    private static let retreats: [ConnectionState] = [.reconnecting] + outside
}

extension Client {
    /// The legal steps of `connection.state`, by the words that are shown.
    package static let transitions: [(from: String, to: String)] = ConnectionState.allCases.flatMap { state in
        state.next.map { (state.rawValue, $0.rawValue) }
    }
}
