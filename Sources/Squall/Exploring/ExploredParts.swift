import Exploration
import Foundation
import ScenarioModel
import SquallCore

/// Merges the parts of an exploration, each read from a file that a different machine has produced.
package enum ExploredParts {
    /// Reads all parts of one exploration and shrinks their findings.
    ///
    /// - Throws: ``SquallError`` if a file cannot be read or is not a part, or if the parts do not belong together.
    package static func merge(
        _ files: [String],
        folder: String,
        jobs: Int?,
        progress: @escaping @Sendable (ExploreProgress) -> Void
    ) async throws -> ExploreResult {
        var parts: [Part] = []
        for file in files { parts.append(try read(file)) }
        let whole: Part
        do throws(Part.Mismatch) {
            whole = try Part.merged(parts)
        } catch {
            throw SquallError.scenarios("squall: \(error.message)")
        }
        guard whole.header.version == SquallVersion.current else {
            throw SquallError.scenarios(
                "squall: the parts are of squall \(whole.header.version), which draws other runs than "
                    + SquallVersion.current
            )
        }
        var options = ExploreOptions()
        options.seed = Seed(whole.header.seed)
        options.limit = .runs(whole.header.runs)
        (options.defects, options.profiles, options.folder) = (whole.header.defects, whole.header.profiles, folder)
        if let jobs { options.jobs = jobs }
        return try await Explorer(options, progress: progress).take(whole)
    }

    private static func read(_ file: String) throws(SquallError) -> Part {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw .scenarios("squall: '\(file)' cannot be read")
        }
        guard let json = try? JSON.decode(Array(data)), let part = Part(json) else {
            throw .scenarios("squall: '\(file)' is not a part of an exploration")
        }
        return part
    }
}
