/// What a YAML file is, where it is not said by who names it.
package enum FileKind {
    /// Whether it is a list of known failures: whatever else it may be wrong about, it begins with `known`.
    package static func isKnownFailures(_ source: SourceText) -> Bool {
        guard let members = try? YAMLReader.read(source).members else { return false }
        return members.contains { $0.name == "known" } && !members.contains { $0.name == "squall" }
    }

    /// The path of the profile that a scenario names, seen from where its own is seen from; nil where it names none, or one
    /// of Squall's own.
    package static func profilePath(_ source: SourceText) -> String? {
        guard let root = try? YAMLReader.read(source), root["squall"] != nil, let name = root["profile"]?.scalar,
            ProfileFiles.isPath(name)
        else { return nil }
        return ProfileFiles.path(name, from: source.file)
    }
}
