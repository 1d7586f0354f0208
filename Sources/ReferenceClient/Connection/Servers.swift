import SquallCore

/// Which of several servers an attempt goes to: the preferred one first, and after each failure the next.
///
/// A connection that is lost is no failed attempt, so that the preferred server is always asked first.
struct Servers {
    private let hosts: [String]
    private let policy: ReconnectPolicy.Servers

    init(_ rules: Rules) {
        let others = rules.profile.connect.otherHosts.split(separator: " ").map(String.init)
        hosts = [rules.profile.connect.host] + others
        policy = rules.policy.reconnect.servers
    }

    /// Whether there is more than one.
    var areSeveral: Bool { hosts.count > 1 }

    var preferred: String { hosts.first ?? "" }

    /// The server for the attempt that follows so many failed ones.
    func host(after failures: Int64) -> String {
        guard policy == .areTriedInTurn, failures > 0 else { return preferred }
        return hosts[Int(failures % Int64(hosts.count))]
    }
}
