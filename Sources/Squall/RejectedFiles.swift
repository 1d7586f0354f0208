import Foundation
import ScenarioLanguage
import ScenarioModel

/// Collects files that are not valid scenarios, and distinguishes invalid scenarios from other files in the same
/// folder: profiles that scenarios use, and lists of known failures.
struct RejectedFiles {
    /// A file that is invalid or not a scenario.
    struct Rejected {
        var file: ScenarioFiles.Found
        var source: SourceText
        var mistakes: FileMistakes
    }

    private(set) var rejected: [Rejected] = []
    private var sources: [SourceText] = []

    mutating func add(_ source: SourceText) { sources.append(source) }

    mutating func add(_ file: ScenarioFiles.Found, _ source: SourceText, mistakes: FileMistakes) {
        rejected.append(Rejected(file: file, source: source, mistakes: mistakes))
        sources.append(source)
    }

    /// Returns the errors in the files that were expected to be scenarios.
    ///
    /// Errors are not returned for a file that was found in a folder and is a list of known failures or a profile. A
    /// file is regarded as a profile if a scenario names it or if its path is in `asked`, the profiles read so far.
    func mistakes(asked: [String]) -> [FileMistakes] {
        guard !rejected.isEmpty else { return [] }
        let profiles = Set((asked + sources.compactMap(FileKind.profilePath)).map(Self.plain))
        return rejected.filter { one in
            one.file.isNamed || !profiles.contains(Self.plain(one.file.path)) && !FileKind.isKnownFailures(one.source)
        }.map(\.mistakes)
    }

    private static func plain(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}
