import SquallCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reserves folders for this process, so that concurrent processes do not overwrite each other's reports.
enum FolderClaim {
    /// Identifies a folder independently of the path used to reach it.
    private struct Folder: Hashable {
        let device: UInt64
        let number: UInt64
    }

    /// The folders claimed by this process. Their descriptors remain open, and the folders locked, until the process
    /// ends.
    private static let claimed = Mutex<Set<Folder>>([])

    /// Locks the folder for this process; does nothing if the process has locked it already, or if the file system does
    /// not support locks.
    ///
    /// - Throws: ``SquallError`` if another process has locked the folder.
    static func take(_ folder: String) throws(SquallError) {
        let isFree = claimed.withLock { claimed in
            let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { return true }
            var facts = stat()
            let isKnown = fstat(descriptor, &facts) == 0
            let folder = Folder(device: UInt64(truncatingIfNeeded: facts.st_dev), number: UInt64(facts.st_ino))
            guard isKnown, claimed.insert(folder).inserted else {
                close(descriptor)
                return true
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
                close(descriptor)
                claimed.remove(folder)
                return false
            }
            return true
        }
        guard !isFree else { return }
        throw .usage("another squall is writing a report to '\(folder)'; name another folder, or wait until it ends")
    }
}
