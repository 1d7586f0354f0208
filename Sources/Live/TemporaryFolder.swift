import Foundation

/// A folder of this run's own, gone with it.
///
/// A process that is killed leaves its folders behind; whoever next needs one removes them. A lock, which the system lifts
/// with the process, tells the ones that are left from those in use.
final class TemporaryFolder {
    private static let prefix = "squall-live-"
    /// Younger folders may belong to somebody who is about to take their lock.
    private static let leftAfter: TimeInterval = 60

    let path: String
    private var lock: CInt

    /// Makes the folder inside `parent`, or inside the system's temporary folder.
    init(in parent: String?) throws(LiveError) {
        let base = parent ?? FileManager.default.temporaryDirectory.path
        Self.sweep(base)
        // mkdtemp wants six letters to put its own in place of.
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

    func remove() {
        guard lock != Self.removed else { return }
        // A folder that somebody else has removed already is removed.
        try? FileManager.default.removeItem(atPath: path)
        if lock >= 0 { close(lock) }
        lock = Self.removed
    }

    private static let removed: CInt = -2

    /// The descriptor that holds the lock; nil where somebody else does, or where the folder cannot be locked.
    private static func lock(_ path: String) -> CInt? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Removes what processes that are gone have left there.
    static func sweep(_ base: String, olderThan age: TimeInterval = leftAfter) {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: base)) ?? [] where name.hasPrefix(prefix) {
            let path = "\(base)/\(name)"
            let made = (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            guard let made, -made.timeIntervalSinceNow > age, let lock = lock(path) else { continue }
            // Somebody else's folder stays where it is.
            try? files.removeItem(atPath: path)
            close(lock)
        }
    }
}
