package import ScenarioModel

/// Reads a file of known failures, strictly: a list without reasons would be a list of excuses.
package enum KnownFailuresReader {
    private static let form = "known: [{ scenario: FILE, case: NAME, fails: [WORD], reason: TEXT }]"

    /// A list that is about to be mended may have entries whose reason nobody has given yet.
    package static func read(
        _ source: SourceText,
        mayLackReasons: Bool = false
    ) -> Result<KnownFailures, ScenarioMistakes> {
        let root: SourceNode
        do throws(Diagnostic) {
            root = try YAMLReader.read(source)
        } catch {
            return .failure(ScenarioMistakes([error]))
        }
        let log = MistakeLog()
        checkKeys(of: root, ["known"], source, log)
        guard let list = root["known"]?.list else {
            log.add((root["known"] ?? root).mistake("a list of known failures is needed", help: form, in: source))
            return .failure(ScenarioMistakes(log.diagnostics))
        }
        let entries = list.compactMap { entry($0, mayLackReasons, source, log) }
        guard log.diagnostics.isEmpty else { return .failure(ScenarioMistakes(log.diagnostics)) }
        return .success(KnownFailures(entries, file: source.file))
    }

    private static func checkKeys(
        of node: SourceNode,
        _ known: [String],
        _ source: SourceText,
        _ log: MistakeLog
    ) {
        for member in node.members ?? [] where !known.contains(member.name) {
            let near = Suggestion.nearest(to: member.name, among: known).map { "did you mean '\($0)'?" }
            log.add(
                member.key.mistake(
                    "there is no '\(member.name.shortened)' in a list of known failures",
                    help: near ?? form,
                    in: source
                )
            )
        }
    }

    private static func entry(
        _ node: SourceNode,
        _ mayLackReason: Bool,
        _ source: SourceText,
        _ log: MistakeLog
    ) -> KnownFailures.Entry? {
        guard node.members != nil else {
            log.add(node.mistake("a known failure is a mapping, not \(node.inWords)", help: form, in: source))
            return nil
        }
        checkKeys(of: node, ["scenario", "case", "fails", "reason"], source, log)
        guard let file = node["scenario"]?.scalar, !file.isEmpty else {
            log.add(
                (node["scenario"] ?? node).mistake("a known failure names its scenario's file", help: form, in: source)
            )
            return nil
        }
        let reason = node["reason"]?.scalar ?? ""
        guard mayLackReason || !reason.allSatisfy(\.isWhitespace) && reason != KnownFailures.missingReason else {
            log.add(
                (node["reason"] ?? node).mistake(
                    "a known failure has a reason",
                    help: "say why '\(file)' fails, and why that is lived with",
                    in: source
                )
            )
            return nil
        }
        let parts = node["fails"].map { $0.list ?? [$0] } ?? []
        if let wrong = parts.first(where: { $0.scalar == nil }) {
            log.add(wrong.mistake("'fails' lists words of expectations, not \(wrong.inWords)", help: form, in: source))
        }
        return KnownFailures.Entry(
            file: file,
            variant: node["case"]?.scalar,
            parts: parts.compactMap(\.scalar),
            reason: reason,
            location: node.location(in: source)
        )
    }
}
