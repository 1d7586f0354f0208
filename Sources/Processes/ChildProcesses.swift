import SquallCore
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The running processes that Squall has started, each the leader of its process group.
package enum ChildProcesses {
    private static let ids = Mutex<[pid_t]>([])

    static func began(_ id: pid_t) { ids.withLock { $0.append(id) } }

    static func ended(_ id: pid_t) { ids.withLock { $0.removeAll { $0 == id } } }

    /// Kills all running processes and their groups, for an exit of Squall without the usual clean-up.
    package static func killAll() {
        for id in ids.withLock({ $0 }) { signal(id, SIGKILL) }
    }

    /// Sends a signal to a process's group, which may outlive the process, and to the process itself, which may have
    /// left the group.
    static func signal(_ id: pid_t, _ number: Int32) {
        _ = kill(-id, number)
        _ = kill(id, number)
    }
}
