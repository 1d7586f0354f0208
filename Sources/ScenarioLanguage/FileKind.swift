/// Determines the kind of a YAML file from its contents.
package enum FileKind {
    /// Returns whether the file is a list of known failures, valid or not: a mapping that has `known` but not `squall`.
    package static func isKnownFailures(_ source: SourceText) -> Bool {
        guard let members = try? YAMLReader.read(source).members else { return false }
        return members.contains { $0.name == "known" } && !members.contains { $0.name == "squall" }
    }

    /// Returns the path of the profile file that a scenario uses, resolved against the scenario's folder; nil if it
    /// uses a built-in profile or names none.
    package static func profilePath(_ source: SourceText) -> String? {
        guard let root = try? YAMLReader.read(source), root["squall"] != nil, let name = root["profile"]?.scalar,
            ProfileFiles.isPath(name)
        else { return nil }
        return ProfileFiles.path(name, from: source.file)
    }
}
