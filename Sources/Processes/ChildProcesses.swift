import SquallCore
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The running processes that Squall has started. Each is the leader of its own process group.
package enum ChildProcesses {
    private static let ids = Mutex<[pid_t]>([])

    static func began(_ id: pid_t) { ids.withLock { $0.append(id) } }

    static func ended(_ id: pid_t) { ids.withLock { $0.removeAll { $0 == id } } }

    /// Kills all running processes and their groups. Used when Squall exits without its usual clean-up.
    package static func killAll() {
        for id in ids.withLock({ $0 }) { signal(id, SIGKILL) }
    }

    /// Sends a signal to a process and to its group: the group may outlive the process, and the process may have left
    /// the group.
    static func signal(_ id: pid_t, _ number: Int32) {
        _ = kill(-id, number)
        _ = kill(id, number)
    }
}
