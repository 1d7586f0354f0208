import Foundations

/// What of a foreign client the wire does not show while a scenario's weather lasts.
///
/// Its own end of a connection is not Squall's to look at: what it writes into a link that nobody reads, and what it tries
/// at a door that is shut, leaves no trace. Its not being seen proves nothing then, one way or the other.
struct Hiding: Sendable {
    private var silence: String?
    private var shutDoor: String?

    /// Faults under which the relay does not read what a client writes.
    private static let silencing = ["blackhole", "half_open", "stall", "timeout", "limit_data", "flap"]
    /// Faults, and what a server may do, after which an attempt does not come to be a connection.
    private static let shutting = ["blackhole", "refuse", "flap", "restart", "stop", "crash", "drain"]

    mutating func begins(with stimulus: Stimulus) {
        if Self.silencing.contains(stimulus.verb) { silence = silence ?? stimulus.name }
        if Self.shutting.contains(stimulus.verb) { shutDoor = shutDoor ?? stimulus.name }
    }

    /// Why something of that name may happen unseen; nil where it cannot.
    func hides(_ name: String) -> String? {
        let isWriting = ["client.sent", "client.requested"].contains { name == $0 || name.hasPrefix("\($0).") }
        let isTrying = name.hasPrefix("client.attempt") || name == "connection.open_sockets"
        if isWriting || isTrying, let silence { return "\(name) may go unseen on the wire during \(silence)" }
        if isTrying, let shutDoor { return "\(name) may go unseen on the wire during \(shutDoor)" }
        return nil
    }
}
