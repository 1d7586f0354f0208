/// The values of the observable `connection.state`.
enum ConnectionState: String, CaseIterable {
    /// The client has not started, or the user has disconnected or signed out.
    case idle
    /// Connecting for the first time, or at the request of the user or the phone.
    case connecting
    /// The key was sent, and the server has not answered yet.
    case authenticating
    case connected
    /// Retrying automatically after a lost connection or a failed attempt: waiting for the next attempt or making it.
    case reconnecting
    /// No attempts are left; the client polls over HTTP, even while it makes a single attempt after a long pause.
    case degraded
    /// The phone has no network.
    case offline
    /// A captive portal answers in the server's place and requires a login.
    case captivePortal = "captive_portal"
    /// The server has announced a shutdown; the client waits for the delay that the server has specified.
    case draining
    /// The server has rejected the key, or the key is missing.
    case authRequired = "auth_required"
    /// No attempts are left, and the client neither polls nor retries on its own.
    case unavailable
    /// The connection is closed because the app is in the background.
    case suspended
}
