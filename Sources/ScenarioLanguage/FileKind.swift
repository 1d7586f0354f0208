/// Recognizes the kind of a YAML file by its content.
package enum FileKind {
    /// Whether the file is a list of known failures: a mapping with `known` and without `squall`, whatever its
    /// mistakes.
    package static func isKnownFailures(_ source: SourceText) -> Bool {
        guard let members = try? YAMLReader.read(source).members else { return false }
        return members.contains { $0.name == "known" } && !members.contains { $0.name == "squall" }
    }

    /// The path of the profile's file that a scenario names, relative to the same folder as the scenario's own path;
    /// nil when it names a built-in profile or none.
    package static func profilePath(_ source: SourceText) -> String? {
        guard let root = try? YAMLReader.read(source), root["squall"] != nil, let name = root["profile"]?.scalar,
            ProfileFiles.isPath(name)
        else { return nil }
        return ProfileFiles.path(name, from: source.file)
    }
}
