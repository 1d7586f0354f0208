import Foundation
import ScenarioLanguage
import ScenarioModel
import Synchronization

/// The profiles' files of one suite, each read once.
final class ProfileCache: Sendable {
    private struct Shelf {
        var answers: [String: ProfileFiles.Answer] = [:]
        var mistakes: [FileMistakes] = []
    }

    private let shelf = Mutex(Shelf())

    /// What is wrong with those that were read, rendered, a file each.
    var mistakes: [FileMistakes] { shelf.withLock { $0.mistakes } }

    /// The paths of all that were asked for.
    var asked: [String] { shelf.withLock { Array($0.answers.keys) } }

    var files: ProfileFiles {
        ProfileFiles { [self] path in answer(path) }
    }

    /// - Throws: where the file cannot be read, or is wrong.
    func require(_ path: String) throws(SquallError) {
        switch answer(path) {
        case .profile: break
        case .wrong: throw .scenarios(mistakes.rendered)
        case .unreadable(let why): throw .usage("the profile '\(path)' cannot be read: \(why)")
        }
    }

    private func answer(_ path: String) -> ProfileFiles.Answer {
        shelf.withLock { shelf in
            if let known = shelf.answers[path] { return known }
            let (answer, mistakes) = Self.load(path)
            shelf.answers[path] = answer
            if let mistakes { shelf.mistakes.append(mistakes) }
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
