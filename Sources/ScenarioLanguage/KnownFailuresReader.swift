package import ScenarioModel
import SquallCore
import TemporalLogic

/// Reads a file of known failures. Every entry needs a reason.
package enum KnownFailuresReader {
    private static let form = "known: [{ scenario: FILE, case: NAME, fails: [WORD], reason: TEXT }]"

    /// Reads the list. If `mayLackReasons` is true, entries without a reason are accepted, because the list is about to
    /// be rewritten.
    package static func read(
        _ source: SourceText,
        mayLackReasons: Bool = false
    ) -> Result<KnownFailures, ScenarioMistakes> {
        let root: SourceNode
        do throws(Diagnostic) {
            root = try YAMLReader.read(source, form: form)
        } catch {
            return .failure(ScenarioMistakes([error]))
        }
        let log = MistakeLog()
        checkKeys(of: root, ["known"], source, log)
        guard let list = root["known"]?.list else {
            log.add((root["known"] ?? root).mistake("expected a list of known failures", help: form, in: source))
            return .failure(ScenarioMistakes(log.diagnostics))
        }
        let entries = list.compactMap { entry($0, source, log) }
        if !mayLackReasons { checkReasons(of: entries, list, source, log) }
        checkRepeats(of: entries, list, source, log)
        guard log.diagnostics.isEmpty else { return .failure(ScenarioMistakes(inOrderOfFile: log.diagnostics)) }
        return .success(KnownFailures(entries, file: source.file))
    }

    /// The valid items of `fails`: expectation keywords, `wait` (the script itself failed), and `invariant NAME`.
    private static let words =
        OperatorSpec.all.map(\.name) + ["wait"] + InvariantName.allCases.map { "invariant \($0.rawValue)" }

    private static func checkWords(_ parts: [SourceNode], _ source: SourceText, _ log: MistakeLog) {
        for part in parts {
            guard let word = part.scalar else {
                log.add(
                    part.mistake("'fails' takes words of expectations, not \(part.inWords)", help: form, in: source)
                )
                continue
            }
            guard !words.contains(word) else { continue }
            let isInvariant = InvariantName(rawValue: word) != nil
            let near = isInvariant ? "invariant \(word)" : Suggestion.nearest(to: word, among: words)
            log.add(
                part.mistake(
                    "unknown word '\(word.shortened)' in 'fails'",
                    help: near.map { "did you mean '\($0)'?" }
                        ?? "use a word of 'expect', 'wait', or 'invariant NAME' (see 'squall explain invariants')",
                    in: source
                )
            )
        }
    }

    /// Reports the entries without a reason. A list that `--fix` has just written may have hundreds, so all of them
    /// together are one mistake.
    private static func checkReasons(
        of entries: [KnownFailures.Entry],
        _ list: [SourceNode],
        _ source: SourceText,
        _ log: MistakeLog
    ) {
        guard entries.count == list.count else { return }
        let lacking = zip(entries, list).filter { entry, _ in
            entry.reason.allSatisfy(\.isWhitespace) || entry.reason == KnownFailures.missingReason
        }
        guard let (entry, node) = lacking.first else { return }
        let others = lacking.dropFirst().map { "\($1.location(in: source).line)" }
        let more = others.count > 4 ? ", …" : ""
        let rest =
            others.isEmpty
            ? "" : "; \(others.count.grouped) more lack one (line \(others.prefix(4).joined(separator: ", "))\(more))"
        log.add(
            (node["reason"] ?? node).mistake(
                "a known failure needs a reason\(rest)",
                help: "say why '\(entry.file)' fails and why that is accepted",
                in: source
            )
        )
    }

    /// Reports duplicate entries for a case, because only the first of them would be used.
    private static func checkRepeats(
        of entries: [KnownFailures.Entry],
        _ list: [SourceNode],
        _ source: SourceText,
        _ log: MistakeLog
    ) {
        guard entries.count == list.count else { return }
        var lines: [String: Int] = [:]
        for (entry, node) in zip(entries, list) {
            let file = entry.file.hasPrefix("./") ? String(entry.file.dropFirst(2)) : entry.file
            let key = "\(file)\u{0}\(entry.variant.map { "case \($0)" } ?? "")"
            guard let first = lines[key] else {
                lines[key] = node.location(in: source).line
                continue
            }
            let what = entry.variant.map { "case '\($0.shortened)' of '\(file)'" } ?? "'\(file)'"
            log.add(
                node.mistake(
                    "\(what) is listed twice",
                    help: "the first entry is in line \(first); merge the two",
                    in: source
                )
            )
        }
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
                    "unknown key '\(member.name.shortened)' in a list of known failures",
                    help: near ?? form,
                    in: source
                )
            )
        }
    }

    private static func entry(
        _ node: SourceNode,
        _ source: SourceText,
        _ log: MistakeLog
    ) -> KnownFailures.Entry? {
        guard node.members != nil else {
            log.add(node.mistake("a known failure must be a mapping, not \(node.inWords)", help: form, in: source))
            return nil
        }
        checkKeys(of: node, ["scenario", "case", "fails", "reason"], source, log)
        guard let file = node["scenario"]?.scalar, !file.isEmpty else {
            log.add(
                (node["scenario"] ?? node).mistake("a known failure needs 'scenario', its file", help: form, in: source)
            )
            return nil
        }
        let parts = node["fails"].map { $0.list ?? [$0] } ?? []
        checkWords(parts, source, log)
        return KnownFailures.Entry(
            file: file,
            variant: node["case"]?.scalar,
            parts: parts.compactMap(\.scalar),
            reason: node["reason"]?.scalar ?? "",
            location: node.location(in: source)
        )
    }
}
