import SquallCore
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// All processes that runs have begun and not yet ended, each the first of its group.
package enum ChildProcesses {
    private static let ids = Mutex<[pid_t]>([])

    static func began(_ id: pid_t) { ids.withLock { $0.append(id) } }

    static func ended(_ id: pid_t) { ids.withLock { $0.removeAll { $0 == id } } }

    /// Ends them and what they began, for a process that goes without cleaning up.
    package static func killAll() {
        for id in ids.withLock({ $0 }) { signal(id, SIGKILL) }
    }

    /// To the group, which may outlive its first process, and to that itself, which may have left it.
    static func signal(_ id: pid_t, _ number: Int32) {
        _ = kill(-id, number)
        _ = kill(id, number)
    }
}
