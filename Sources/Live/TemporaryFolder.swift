import Foundation

/// A folder of this run's own, gone with it.
final class TemporaryFolder {
    let path: String
    private var isThere = true

    /// Makes the folder inside `parent`, or inside the system's temporary folder.
    init(in parent: String?) throws(LiveError) {
        let base = parent ?? FileManager.default.temporaryDirectory.path
        var template = Array("\(base)/squall-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let made else { throw .folder(path: base, reason: String(cString: strerror(errno))) }
        path = made
    }

    deinit { remove() }

    func remove() {
        guard isThere else { return }
        isThere = false
        // A folder that somebody else has removed already is removed.
        try? FileManager.default.removeItem(atPath: path)
    }
}
