import Foundation
import ScenarioLanguage
package import ScenarioModel

/// Reads and writes lists of known failures.
package enum KnownFailureFile {
    /// Reads a list of known failures. If `willBeUpdated` is true, entries may lack reasons and the file may be
    /// missing, because the list is about to be rewritten.
    ///
    /// - Throws: ``SquallError`` if the file is missing, cannot be read or is invalid.
    package static func read(_ path: String, willBeUpdated: Bool) throws(SquallError) -> KnownFailures {
        if !FileManager.default.fileExists(atPath: path) {
            guard willBeUpdated else {
                throw .usage("there is no file '\(path)'; with --fix, one is written")
            }
            return KnownFailures(file: path)
        }
        let source = try ScenarioFiles.read(path)
        switch KnownFailuresReader.read(source, mayLackReasons: willBeUpdated) {
        case .success(let known): return known
        case .failure(let mistakes): throw .scenarios(mistakes.rendered(in: source))
        }
    }

    /// Returns whether the file at `path`, as named by an entry in the list `known`, exists. A relative path is
    /// resolved against the current folder, the list's folder, and every parent folder of either.
    package static func isThere(_ path: String, of known: KnownFailures) -> Bool {
        if path.hasPrefix("/") { return FileManager.default.fileExists(atPath: path) }
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        for start in [here, URL(fileURLWithPath: known.file).deletingLastPathComponent()] {
            let parts = start.standardizedFileURL.pathComponents
            for count in stride(from: parts.count, to: 0, by: -1) {
                let folder = NSString.path(withComponents: Array(parts.prefix(count)))
                if FileManager.default.fileExists(atPath: "\(folder)/\(path)") { return true }
            }
        }
        return false
    }

    /// Writes the list. If its file exists, only the entries that differ are changed, and comments are preserved.
    ///
    /// - Throws: ``SquallError`` if the file cannot be written.
    package static func write(_ known: KnownFailures) throws(SquallError) {
        // If the file does not exist or cannot be read, a new one is created.
        let present = FileManager.default.fileExists(atPath: known.file) ? try? ScenarioFiles.read(known.file) : nil
        try WholeFile.write(
            present.map { KnownFailuresWriter.text(of: known, replacing: $0) } ?? known.yaml,
            to: known.file
        )
    }
}
