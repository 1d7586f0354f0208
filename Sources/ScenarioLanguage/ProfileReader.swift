import ChatWire
package import ScenarioModel
import SquallCore
import TemporalLogic

/// The profiles that Squall knows by name: data files, embedded so that an installed binary has them.
package enum ProfileReader {
    private static let files: [(name: String, bytes: [UInt8])] = [
        ("default", PackageResources.default_yaml),
        ("chat-ux", PackageResources.chat_ux_yaml),
        ("polish", PackageResources.polish_yaml),
        ("voice", PackageResources.voice_yaml),
        ("flows", PackageResources.flows_yaml),
        ("push", PackageResources.push_yaml),
        ("array-frames", PackageResources.array_frames_yaml),
        ("op-frames", PackageResources.op_frames_yaml),
        ("text-frames", PackageResources.text_frames_yaml),
    ]

    package static let names = files.map(\.name)

    /// The one value of a profile that is no single value: how each role's frame stands on the wire.
    package static let framesName = "wire.frames"

    /// The profile of that name; nil where there is none.
    ///
    /// - Throws: the first mistake in the embedded file, which only a test of Squall itself should ever see.
    package static func profile(named name: String) throws(Diagnostic) -> Profile? {
        try loaded[name]?.get()
    }

    /// Read once: every case of every file begins with one of them.
    private static let loaded: [String: Result<Profile, Diagnostic>] = Dictionary(
        names.map { name in (name, Result { () throws(Diagnostic) in try load(name) }) },
        uniquingKeysWith: { first, _ in first }
    )

    private static func load(_ name: String) throws(Diagnostic) -> Profile {
        guard let source = source(named: name) else { return Profile(name: name) }
        do throws(ScenarioMistakes) {
            return try read(source, named: name).get()
        } catch {
            throw error.diagnostics.first ?? Diagnostic(at: YAMLReader.beginning(of: source), "it is wrong")
        }
    }

    /// Reads a profile's file: `name: value` lines, over what the default profile has; or all that is wrong with it.
    package static func read(_ source: SourceText, named name: String) -> Result<Profile, ScenarioMistakes> {
        var profile = Profile(name: name)
        let log = MistakeLog()
        let root: SourceNode
        do throws(Diagnostic) {
            root = try YAMLReader.read(source)
        } catch {
            return .failure(ScenarioMistakes([error]))
        }
        var writer = ProfileWriter(profile: profile, source: source, log: log)
        writer.set(root)
        profile = writer.profile
        if log.diagnostics.isEmpty {
            for problem in profile.wire.problems {
                // It begins with the value to blame.
                let blamed = problem.prefix { $0 != " " }
                let key = root.members?.last { blamed.hasPrefix($0.name) }?.key
                log.add((key ?? root).mistake("these names cannot be spoken: \(problem)", in: source))
            }
        }
        guard log.diagnostics.isEmpty else {
            return .failure(ScenarioMistakes(inOrderOfFile: log.diagnostics))
        }
        return .success(profile)
    }

    /// The file of a profile, as it is embedded.
    package static func source(named name: String) -> SourceText? {
        files.first { $0.name == name }.map { file in
            SourceText(file: "Profiles/\(name).yaml", text: String(decoding: file.bytes, as: UTF8.self))
        }
    }
}
