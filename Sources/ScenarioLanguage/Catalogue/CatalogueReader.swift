package import ScenarioModel
import SquallCore
import TemporalLogic

/// Reads a catalogue file, which lists the requirements (rows) of one audit. Returns its rows, or all errors if the
/// file is invalid.
package enum CatalogueReader {
    static let head = ["audit", "prefix", "areas"]
    static let keys = [
        "row", "title", "section", "priority", "origin", "not_checkable", "stands_for", "asserts", "defects",
        "rests_on", "test", "conformance",
    ]
    static let priorities = ["critical", "high", "medium", "low", "p0", "p1"]

    package static func read(_ source: SourceText) -> Result<[AuditRow], ScenarioMistakes> {
        let root: SourceNode
        do throws(Diagnostic) {
            root = try YAMLReader.read(source)
        } catch {
            return .failure(ScenarioMistakes([error]))
        }
        let log = MistakeLog()
        let rows = AuditReader(values: ValueReader(source: source, profile: Profile()), log: log).read(root)
        return log.diagnostics.isEmpty ? .success(rows) : .failure(ScenarioMistakes(inOrderOfFile: log.diagnostics))
    }
}

extension CatalogueReader {
    /// Returns the help text for an unknown row id.
    package static func help(for id: String, in catalogue: Catalogue) -> String {
        CatalogueRow.help(for: id, in: catalogue)
    }
}

/// Reads the YAML mapping that describes one audit.
private struct AuditReader {
    let values: ValueReader
    let log: MistakeLog

    private var source: SourceText { values.source }

    func read(_ root: SourceNode) -> [AuditRow] {
        guard let members = root.members else {
            log.add(root.mistake("an audit must be a mapping with \(list(CatalogueReader.head))", in: source))
            return []
        }
        refuseUnknown(members, among: CatalogueReader.head, in: "an audit")
        let audit = required("audit", of: root, in: "an audit") ?? ""
        let prefix = required("prefix", of: root, in: "an audit") ?? ""
        guard let areas = root["areas"]?.members else {
            log.add((root["areas"] ?? root).mistake("'areas' must be a mapping of areas to lists of rows", in: source))
            return []
        }
        var rows: [AuditRow] = []
        var seen: Set<String> = []
        for area in areas {
            guard let items = area.value.list else {
                log.add(values.wrong(area.value, area.name, "a list of rows"))
                continue
            }
            for item in items {
                guard var row = row(item, prefix) else { continue }
                guard seen.insert(row.id).inserted else {
                    log.add((item["row"] ?? item).mistake("duplicate row \(row.id)", in: source))
                    continue
                }
                row.audit = audit
                row.area = area.name
                rows.append(row)
            }
        }
        return rows
    }

    private func row(_ node: SourceNode, _ prefix: String) -> AuditRow? {
        guard let members = node.members else {
            log.add(node.mistake("a row must be a mapping, not \(node.inWords)", help: "row: \(prefix)-1a", in: source))
            return nil
        }
        refuseUnknown(members, among: CatalogueReader.keys, in: "a row")
        let id = required("row", of: node, in: "a row")
        let title = required("title", of: node, in: "a row")
        let section = required("section", of: node, in: "a row")
        guard let id, let title, let section else { return nil }
        guard CatalogueRow.isID(id), id.hasPrefix("\(prefix)-") else {
            log.add(
                (node["row"] ?? node).mistake(
                    "invalid row id '\(id.shortened)' in an audit with the prefix \(prefix)",
                    help: CatalogueRow.help,
                    in: source
                )
            )
            return nil
        }
        return AuditRow(
            id: id,
            title: title,
            section: section,
            priority: word("priority", of: node, among: CatalogueReader.priorities),
            origin: word("origin", of: node, among: AuditRow.Origin.allCases.map(\.rawValue))
                .flatMap(AuditRow.Origin.init) ?? .stated,
            checkability: checkability(node),
            asserts: items("asserts", of: node).compactMap(assertion),
            defects: texts("defects", of: node),
            dependsOn: texts("rests_on", of: node),
            test: node["test"].flatMap { text($0, called: "test") },
            conformance: texts("conformance", of: node)
        )
    }

    private func checkability(_ node: SourceNode) -> AuditRow.Checkability {
        if let reason = node["not_checkable"] {
            if node["stands_for"] != nil {
                log.add(reason.mistake("'not_checkable' and 'stands_for' are mutually exclusive", in: source))
            }
            return .no(because: text(reason, called: "not_checkable") ?? "")
        }
        guard let stand = node["stands_for"] else { return .yes }
        return .partly(observedInstead: text(stand, called: "stands_for") ?? "")
    }

    /// Reads the value of `asserts`: a quoted string, or an unquoted number or duration.
    private func assertion(_ node: SourceNode) -> AuditRow.Assertion? {
        guard let plain = node.plain else { return text(node, called: "asserts").map { .text($0) } }
        if let number = Int64(plain) { return .number(number) }
        if let span = DurationText.parse(plain) { return .duration(span) }
        log.add(
            node.mistake(
                "'\(plain.shortened)' is neither a number nor a duration",
                help: "quote a text",
                in: source
            )
        )
        return nil
    }

    // MARK: - Parts

    private func refuseUnknown(_ members: [SourceNode.Member], among known: [String], in whole: String) {
        for member in members where !known.contains(member.name) {
            log.add(
                member.key.mistake(
                    "unknown key '\(member.name.shortened)' of \(whole)",
                    help: Suggestion.help(for: member.name, among: known),
                    in: source
                )
            )
        }
    }

    private func required(_ name: String, of node: SourceNode, in whole: String) -> String? {
        guard let value = node[name] else {
            log.add(node.mistake("\(whole) needs '\(name)'", in: source))
            return nil
        }
        return text(value, called: name)
    }

    /// Reads a non-empty string; returns nil after reporting an error.
    private func text(_ node: SourceNode, called name: String) -> String? {
        log.attempt { () throws(Diagnostic) in
            let text = try values.text(node, called: name)
            guard !text.allSatisfy(\.isWhitespace) else { throw node.mistake("'\(name)' is empty", in: source) }
            return text
        }
    }

    private func texts(_ name: String, of node: SourceNode) -> [String] {
        items(name, of: node).compactMap { text($0, called: name) }
    }

    private func items(_ name: String, of node: SourceNode) -> [SourceNode] {
        guard let value = node[name] else { return [] }
        guard let items = value.list else {
            log.add(values.wrong(value, name, "a list"))
            return []
        }
        return items
    }

    private func word(_ name: String, of node: SourceNode, among words: [String]) -> String? {
        node[name].flatMap { value in
            log.attempt { () throws(Diagnostic) in try values.word(value, among: words, called: name) }
        }
    }

    private func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
}
