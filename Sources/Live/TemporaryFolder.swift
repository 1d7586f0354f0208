import Foundation

/// A temporary folder that belongs to one run and is removed at its end.
///
/// A killed process leaves its folders behind; the next run that needs a folder removes them. A folder in use is
/// locked, and the kernel releases the lock when the process exits, so an unlocked folder has been abandoned.
final class TemporaryFolder {
    private static let prefix = "squall-live-"
    /// The minimum age, in seconds, at which an unlocked folder is removed. A newer folder may not have been locked yet
    /// by the process that created it.
    private static let leftAfter: TimeInterval = 60

    let path: String
    private var lock: CInt

    /// Creates the folder inside `parent`, or inside the system's temporary folder if `parent` is nil.
    ///
    /// - Throws: ``LiveError/folder(path:reason:)`` if the folder cannot be created.
    init(in parent: String?) throws(LiveError) {
        let base = parent ?? FileManager.default.temporaryDirectory.path
        Self.sweep(base)
        // mkdtemp requires a template that ends in six X characters, which it replaces.
        let letters = String(repeating: "X", count: 6)
        var template = Array("\(base)/\(Self.prefix)\(letters)".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let made else { throw .folder(path: base, reason: String(cString: strerror(errno))) }
        path = made
        lock = Self.lock(made) ?? -1
    }

    deinit { remove() }

    /// Removes the folder and its contents; does nothing if it has already been removed.
    func remove() {
        guard lock != Self.removed else { return }
        // If this fails, the folder no longer exists or cannot be removed now, in which case a later sweep removes it.
        try? FileManager.default.removeItem(atPath: path)
        if lock >= 0 { close(lock) }
        lock = Self.removed
    }

    /// The value of ``lock`` after the folder is removed. The value -1 means that the folder could not be locked.
    private static let removed: CInt = -2

    /// Locks a folder and returns the descriptor that holds the lock; nil if the folder is already locked or cannot be
    /// locked.
    private static func lock(_ path: String) -> CInt? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Removes the folders in `base` that exited processes have left behind, if they are older than `age` seconds.
    static func sweep(_ base: String, olderThan age: TimeInterval = leftAfter) {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: base)) ?? [] where name.hasPrefix(prefix) {
            let path = "\(base)/\(name)"
            let made = (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            guard let made, -made.timeIntervalSinceNow > age, let lock = lock(path) else { continue }
            // Another user's folder cannot be removed, and is left in place.
            try? files.removeItem(atPath: path)
            close(lock)
        }
    }
}
