import Foundation
import ScenarioLanguage
import ScenarioModel

/// What people keep in the same folder as their scenarios, and a walk through it comes by: the profiles that scenarios name,
/// and lists of known failures.
struct RejectedFiles {
    /// A file that is no scenario, or has mistakes.
    struct Doubtful {
        var file: ScenarioFiles.Found
        var source: SourceText
        var mistakes: FileMistakes
    }

    private(set) var doubtful: [Doubtful] = []
    private var sources: [SourceText] = []

    mutating func add(_ source: SourceText) { sources.append(source) }

    mutating func add(_ file: ScenarioFiles.Found, _ source: SourceText, mistakes: FileMistakes) {
        doubtful.append(Doubtful(file: file, source: source, mistakes: mistakes))
        sources.append(source)
    }

    /// The mistakes of all that a scenario was expected in; the profiles of these paths have been asked for.
    func mistakes(asked: [String]) -> [FileMistakes] {
        guard !doubtful.isEmpty else { return [] }
        let profiles = Set((asked + sources.compactMap(FileKind.profilePath)).map(Self.plain))
        return doubtful.filter { one in
            one.file.isNamed || !profiles.contains(Self.plain(one.file.path)) && !FileKind.isKnownFailures(one.source)
        }.map(\.mistakes)
    }

    private static func plain(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}
