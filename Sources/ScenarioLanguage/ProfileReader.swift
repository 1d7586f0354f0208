import Foundations
package import ScenarioModel
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
    ]

    package static let names = files.map(\.name)

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
        var profile = Profile(name: name)
        let log = MistakeLog()
        let root = try YAMLReader.read(source)
        set(root, in: &profile, source: source, log: log)
        if let mistake = log.diagnostics.first { throw mistake }
        return profile
    }

    /// The file of a profile, as it is embedded.
    package static func source(named name: String) -> SourceText? {
        files.first { $0.name == name }.map { file in
            SourceText(file: "Profiles/\(name).yaml", text: String(decoding: file.bytes, as: UTF8.self))
        }
    }

    /// Sets values of a profile from `name: value`, as profile files and a scenario's `set:` write them.
    ///
    /// They are set in order, so that a `$name` in one sees what the lines before it have set. Names may be nested,
    /// `heartbeat: { interval: 10s }`.
    static func set(
        _ node: SourceNode,
        in profile: inout Profile,
        prefix: String = "",
        source: SourceText,
        log: MistakeLog
    ) {
        guard let members = node.members else {
            if !node.isEmpty {
                log.add(node.mistake("values of a profile are written 'name: value'", in: source))
            }
            return
        }
        for member in members where !log.isFull {
            let name = prefix + member.name
            if let field = Profile.field(named: name) {
                let reader = ValueReader(source: source, profile: profile)
                let value = log.attempt { () throws(Diagnostic) in
                    try reader.argument(member.value, field.kind, called: name)
                }
                if let value { field.set(&profile, value) }
            } else if member.value.members != nil, Profile.fields.contains(where: { $0.name.hasPrefix("\(name).") }) {
                set(member.value, in: &profile, prefix: "\(name).", source: source, log: log)
            } else {
                log.add(
                    member.key.mistake(
                        "the profile has no value '\(name)'",
                        help: Suggestion.help(for: name, among: Profile.fields.map(\.name))
                            ?? "'squall explain profile' lists them all",
                        in: source
                    )
                )
            }
        }
    }
}
