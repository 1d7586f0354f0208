import Foundation
import ScenarioLanguage
package import ScenarioModel

/// A file of known failures on disk.
package enum KnownFailureFile {
    /// Where it is to be mended, it may lack reasons, or not be there at all.
    package static func read(_ path: String, toBeMended: Bool) throws(SquallError) -> KnownFailures {
        if !FileManager.default.fileExists(atPath: path) {
            guard toBeMended else {
                throw .usage("there is no file '\(path)'; with --fix, one is written")
            }
            return KnownFailures(file: path)
        }
        let source = try ScenarioFiles.read(path)
        switch KnownFailuresReader.read(source, mayLackReasons: toBeMended) {
        case .success(let known): return known
        case .failure(let mistakes): throw .scenarios(mistakes.rendered(in: source))
        }
    }

    package static func write(_ known: KnownFailures) throws(SquallError) {
        try ReportFolder.write(known.yaml, to: known.file)
    }
}
