import SquallCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reserves folders for this process, so that two processes that run at once do not overwrite each other's report.
enum FolderClaim {
    /// The descriptors of the claimed folders, by path. They remain open, and the folders locked, until the process
    /// ends.
    private static let claimed = Mutex<[String: Int32]>([:])

    /// Locks the folder for this process; does nothing if the process has locked it already, or if the file system does
    /// not support locks.
    ///
    /// - Throws: ``SquallError`` if another process has locked the folder.
    static func take(_ folder: String) throws(SquallError) {
        let isFree = claimed.withLock { claimed in
            guard claimed[folder] == nil else { return true }
            let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { return true }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
                close(descriptor)
                return false
            }
            claimed[folder] = descriptor
            return true
        }
        guard !isFree else { return }
        throw .usage("another squall is writing a report to '\(folder)'; name another folder, or wait until it ends")
    }
}
