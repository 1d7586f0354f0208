import SquallCore

/// Selects the server for a connection attempt: the preferred server first, and another server after each failure.
///
/// A lost connection is not a failed attempt, so the client then starts with the preferred server again.
struct Servers {
    private let hosts: [String]
    private let policy: ReconnectPolicy.Servers

    init(_ rules: Rules) {
        let others = rules.profile.connect.otherHosts.split(separator: " ").map(String.init)
        hosts = [rules.profile.connect.host] + others
        policy = rules.policy.reconnect.servers
    }

    /// Whether more than one server is configured.
    var areSeveral: Bool { hosts.count > 1 }

    var preferred: String { hosts.first ?? "" }

    /// Returns the server for the attempt that follows `failures` consecutive failed attempts.
    func host(after failures: Int64) -> String {
        guard policy == .areTriedInTurn, failures > 0 else { return preferred }
        return hosts[Int(failures % Int64(hosts.count))]
    }
}
