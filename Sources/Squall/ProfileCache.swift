import Foundation
import ScenarioLanguage
import ScenarioModel
import Synchronization

/// Caches the profile files of one suite, so that each file is read only once.
final class ProfileCache: Sendable {
    private struct State {
        var answers: [String: ProfileFiles.Answer] = [:]
        var mistakes: [FileMistakes] = []
    }

    private let state = Mutex(State())

    /// The errors in the files read so far.
    var mistakes: [FileMistakes] { state.withLock { $0.mistakes } }

    /// The paths of all files requested so far.
    var asked: [String] { state.withLock { Array($0.answers.keys) } }

    /// Gives the scenario reader access to profile files through this cache.
    var files: ProfileFiles {
        ProfileFiles { [self] path in answer(path) }
    }

    /// Reads a file unless it has already been read.
    ///
    /// - Throws: ``SquallError`` if the file cannot be read or is invalid.
    func require(_ path: String) throws(SquallError) {
        switch answer(path) {
        case .profile: break
        case .wrong: throw .scenarios(mistakes.rendered)
        case .unreadable(let why): throw .usage("the profile '\(path)' cannot be read: \(why)")
        }
    }

    private func answer(_ path: String) -> ProfileFiles.Answer {
        state.withLock { state in
            if let known = state.answers[path] { return known }
            let (answer, mistakes) = Self.load(path)
            state.answers[path] = answer
            if let mistakes { state.mistakes.append(mistakes) }
            return answer
        }
    }

    private static func load(_ path: String) -> (ProfileFiles.Answer, mistakes: FileMistakes?) {
        guard let data = FileManager.default.contents(atPath: path) else {
            return (.unreadable("there is no such file"), nil)
        }
        guard let text = String(bytes: data, encoding: .utf8) else {
            return (.unreadable("it is not text in UTF-8"), nil)
        }
        let source = SourceText(file: path, text: text)
        switch ProfileReader.read(source, named: path) {
        case .success(let profile): return (.profile(profile), nil)
        case .failure(let found): return (.wrong, FileMistakes(found, in: source))
        }
    }
}
