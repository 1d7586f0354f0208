import Foundation
import ScenarioLanguage
package import ScenarioModel

/// Reads and writes coverage baseline files.
package enum BaselineFile {
    package static func read(_ path: String) throws(SquallError) -> CoverageBaseline {
        let source = try ScenarioFiles.read(path)
        do {
            return try CoverageBaseline(parsing: source.text)
        } catch {
            throw .scenarios("\(path):\(error.line):1: error: \(error.message)")
        }
    }

    /// Reads a baseline; returns nil if the file does not exist.
    package static func readIfPresent(_ path: String) throws(SquallError) -> CoverageBaseline? {
        FileManager.default.fileExists(atPath: path) ? try read(path) : nil
    }

    package static func write(_ baseline: CoverageBaseline, to path: String) throws(SquallError) {
        try WholeFile.write(baseline.text, to: path)
    }
}
