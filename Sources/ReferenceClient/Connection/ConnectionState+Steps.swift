extension ConnectionState {
    /// The states that may follow this one.
    ///
    /// `connected` is reached only through `authenticating`. The server may announce its shutdown at any point during
    /// an attempt. The client makes no attempts while it has no network or is in the background.
    var next: [ConnectionState] {
        switch self {
        case .idle: [.connecting, .authRequired, .offline, .suspended]
        case .connecting: [.authenticating, .draining, .authRequired, .degraded, .unavailable] + Self.retreats
        case .authenticating:
            [.connected, .draining, .connecting, .authRequired, .degraded, .unavailable] + Self.retreats
        case .connected: [.draining, .connecting, .authRequired, .degraded, .unavailable] + Self.retreats
        case .draining: [.connecting, .authRequired, .degraded, .unavailable] + Self.retreats
        case .reconnecting:
            [.authenticating, .draining, .connecting, .authRequired, .degraded, .unavailable] + Self.outside
        case .degraded: [.authenticating, .draining, .connecting, .authRequired] + Self.outside
        case .offline: [.connecting, .authRequired, .suspended, .idle]
        // `authRequired` may follow, because the server may have rejected the key before the captive portal appeared.
        case .captivePortal: [.connecting, .authRequired, .offline, .suspended, .idle]
        case .suspended: [.connecting, .degraded, .authRequired, .offline, .idle]
        case .authRequired, .unavailable: [.connecting, .offline, .suspended, .idle]
        }
    }

    /// The states that the client can enter from almost any other state because of the network, the phone or its user.
    private static let outside: [ConnectionState] = [.offline, .suspended, .captivePortal, .idle]
    private static let retreats: [ConnectionState] = [.reconnecting] + outside
}

extension Client {
    /// The legal transitions of `connection.state`, as pairs of its values.
    package static let transitions: [(from: String, to: String)] = ConnectionState.allCases.flatMap { state in
        state.next.map { (state.rawValue, $0.rawValue) }
    }
}
