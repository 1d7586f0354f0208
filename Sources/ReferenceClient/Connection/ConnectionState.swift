/// What `connection.state` shows.
enum ConnectionState: String, CaseIterable {
    /// Not started.
    case idle
    /// A first connection, or one that the user or the phone asked for, is on its way.
    case connecting
    /// The key is out, the answer is not in.
    case authenticating
    case connected
    /// Lost, or tried in vain: waiting for the next attempt by itself, or in it.
    case reconnecting
    /// The attempts are spent; the HTTP routes stand in.
    case degraded
    /// The phone has no network.
    case offline
    /// Somebody else answers in the server's place and wants a login.
    case captivePortal = "captive_portal"
    /// The server has announced that it stops; waiting for the time it named.
    case draining
    /// The key is refused or missing.
    case authRequired = "auth_required"
    /// The attempts are spent, nothing stands in, and nothing more comes by itself.
    case unavailable
    /// Closed in the background.
    case suspended
}
