import ScenarioModel
import SquallCore
import TemporalLogic

/// The cases of a `with:` table, with the values that each case substitutes for `${name}`.
final class CaseTable {
    struct Case {
        /// The name of the case; nil for the only case of a file without a table.
        var name: String?
        var values: [SourceNode.Member]
        /// The table entry that created the case; nil if the file has no table.
        var node: SourceNode?
        /// The number of the table entry that created the case, counted from 1.
        var row = 0
        /// The values that distinguish the case from others with the same name in the same table entry; nil if the name
        /// is unique.
        var suffix: String?
    }

    private(set) var cases: [Case]
    /// The first occurrence of each key in the table.
    private var columns: [SourceNode] = []
    private var used: Set<String> = []
    private var rows = 0

    private init(_ cases: [Case]) {
        self.cases = cases
    }

    /// The maximum number of cases.
    static let most = 1000
    static let maximumColumns = 100
    /// The maximum product of the number of cases and the number of nodes in the file.
    static let maximumNodes = 1_000_000

    static func read(_ root: SourceNode, _ values: ValueReader, _ log: MistakeLog) -> CaseTable {
        let plain = CaseTable([Case(name: nil, values: [], node: nil)])
        guard let node = root["with"] else { return plain }
        let table = CaseTable([])
        let source = values.source
        switch node.kind {
        case .list(let rows) where !rows.isEmpty:
            // A few hundred rows with permutations could create millions of cases, so the loop stops at the limit.
            for row in rows where table.cases.count <= most { table.addRow(row, source, log) }
        case .mapping(let members) where !members.isEmpty: table.addProduct(node, members, source, log)
        default:
            log.add(
                node.mistake(
                    "'with' must be a list of cases",
                    help: "write with: [{ kind: drop }, { kind: reset_peer }], or with: { kind: [drop, reset_peer] }",
                    in: source
                )
            )
            return plain
        }
        let size = root.size
        if table.cases.count > most || table.cases.count * size > maximumNodes {
            log.add(
                node.mistake(
                    "this table has \(table.cases.count > most ? "more than \(most)" : "\(table.cases.count)") cases; "
                        + "the limit is \(min(most, max(1, maximumNodes / size)))",
                    in: source
                )
            )
            table.cases = Array(table.cases.prefix(1))
        }
        table.nameCases(source, log)
        return table.cases.isEmpty ? plain : table
    }

    // MARK: - Rows

    private func addRow(_ row: SourceNode, _ source: SourceText, _ log: MistakeLog) {
        guard let members = row.members, !members.isEmpty else {
            log.add(
                row.mistake(
                    "a case must be a mapping of names to values, not \(row.inWords)",
                    help: "- { kind: drop }",
                    in: source
                )
            )
            return
        }
        addProduct(row, members, source, log, isRow: true)
    }

    /// Adds the cases that a table entry creates. A row creates one case for each order of its `permutations of` list;
    /// a mapping of lists creates one case for each combination of the lists' items.
    private func addProduct(
        _ node: SourceNode,
        _ members: [SourceNode.Member],
        _ source: SourceText,
        _ log: MistakeLog,
        isRow: Bool = false
    ) {
        if members.count > Self.maximumColumns {
            log.add(node.mistake("a case has at most \(Self.maximumColumns) values, not \(members.count)", in: source))
        }
        var combined: [[SourceNode.Member]] = [[]]
        for member in members.prefix(Self.maximumColumns) {
            addColumn(member.key, source, log)
            let choices: [SourceNode]
            if let orders = Permutations.read(member.value, source, log) {
                choices = orders
            } else if !isRow, member.name != "name" {
                if let items = member.value.list, !items.isEmpty {
                    choices = items
                } else {
                    choices = [member.value]
                    log.add(
                        member.value.mistake(
                            "'\(member.name)' must be a list of values, not \(member.value.inWords)",
                            help: "each value makes a case; write values that belong together as a list of mappings",
                            in: source
                        )
                    )
                }
            } else {
                choices = [member.value]
            }
            let (count, overflow) = combined.count.multipliedReportingOverflow(by: choices.count)
            guard !overflow, count <= Self.most else {
                log.add(node.mistake("this table has more than \(Self.most) cases", in: source))
                combined = combined.map { $0 + [SourceNode.Member(key: member.key, value: choices[0])] }
                continue
            }
            combined = combined.flatMap { values in
                choices.map { values + [SourceNode.Member(key: member.key, value: $0)] }
            }
        }
        rows += 1
        cases += combined.map { Case(name: nil, values: $0, node: node, row: rows) }
    }

    private func addColumn(_ key: SourceNode, _ source: SourceText, _ log: MistakeLog) {
        guard let name = key.scalar, !columns.contains(where: { $0.scalar == name }) else { return }
        guard Substitution.isName(name) else {
            log.add(
                key.mistake(
                    "invalid name '\(name.shortened)'",
                    help: "a name has letters, digits, '-' and '_', and is used as ${name}",
                    in: source
                )
            )
            return
        }
        columns.append(key)
    }

    /// Determines the names of all cases. A case without a `name` is named after its values. If several cases of a
    /// table entry have the same name, a suffix distinguishes them.
    private func nameCases(_ source: SourceText, _ log: MistakeLog) {
        for index in cases.indices {
            let values = cases[index].values
            if let own = values.first(where: { $0.name == "name" })?.value {
                let others = Case(name: nil, values: values.filter { $0.name != "name" }, node: nil)
                cases[index].name = body(of: own, for: others, log, source).scalar
            }
        }
        for (index, row) in cases.enumerated() where row.name != nil {
            let twins = cases.filter { $0.name == row.name && $0.row == row.row }
            guard twins.count > 1 else { continue }
            let changing = row.values.filter { value in
                twins.contains { twin in
                    twin.values.first { $0.name == value.name }?.value.shortText != value.value.shortText
                }
            }
            cases[index].suffix = changing.map(\.value.shortText).joined(separator: ", ")
        }
        for index in cases.indices {
            if let suffix = cases[index].suffix, !suffix.isEmpty { cases[index].name? += ", \(suffix)" }
            if cases[index].name == nil {
                let values = cases[index].values.filter { $0.name != "name" }
                cases[index].name = values.map(\.value.shortText).joined(separator: ", ")
            }
        }
        // Sanitize the names, because reports and lists print one line for each case, and `--case` selects a case by
        // its name.
        for index in cases.indices {
            guard let name = cases[index].name, name != "\(SanitizedText(name))" else { continue }
            cases[index].name = "\(SanitizedText(name))"
            guard let own = cases[index].values.first(where: { $0.name == "name" })?.value else { continue }
            log.add(
                own.mistake(
                    "the name of a case is one line, without control characters",
                    help: "write a 'name' without escapes such as \\n",
                    in: source
                )
            )
        }
        for (index, row) in cases.enumerated() {
            guard let first = cases[..<index].first(where: { $0.name == row.name }), let node = row.node else {
                continue
            }
            log.add(
                node.mistake(
                    "duplicate case '\(row.name?.shortened ?? "")'",
                    help: first.node.map { "the other one is in line \($0.line); give each a 'name'" },
                    in: source
                )
            )
        }
    }

    // MARK: - Substituting

    /// Returns the root of the file for one case, with its values substituted and the table removed.
    func body(of root: SourceNode, for row: Case, _ log: MistakeLog, in source: SourceText) -> SourceNode {
        guard let members = root.members else { return root }
        var body = root
        body.kind = .mapping(members.filter { $0.name != "with" })
        return self.body(of: body, for: row, log, source)
    }

    private func body(of node: SourceNode, for row: Case, _ log: MistakeLog, _ source: SourceText) -> SourceNode {
        var substitution = Substitution(
            values: row.values,
            known: columns.compactMap(\.scalar),
            case: row.name,
            source: source,
            log: log
        )
        let result = substitution.apply(to: node)
        used.formUnion(substitution.used)
        return result
    }

    func unusedColumns(in source: SourceText) -> [Diagnostic] {
        columns.filter { column in
            guard let name = column.scalar else { return false }
            return name != "name" && !used.contains(name)
        }.map { column in
            column.mistake(
                "unused name '\(column.scalar ?? "")': nothing refers to '${\(column.scalar ?? "")}'",
                in: source
            )
        }
    }
}

extension SourceNode {
    /// The value as it appears in the name of a case.
    fileprivate var shortText: String {
        switch kind {
        case .scalar(let text, _): text
        case .list(let items): items.map(\.shortText).joined(separator: " ")
        case .mapping(let members): members.map { "\($0.name) \($0.value.shortText)" }.joined(separator: " ")
        }
    }
}
