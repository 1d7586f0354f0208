package import ScenarioModel

/// Renders coverage for a terminal: the number of proven rows (requirements of an audit), and the evidence that each
/// other row lacks.
package struct CoverageText: Sendable {
    private let terminal: TerminalShape

    package init(colour: Bool, width: Int? = nil) {
        terminal = TerminalShape(colour: colour, width: width)
    }

    package func render(_ result: CoverageResult) -> String {
        var lines: [StyledLine] = [opening(result), ""]
        lines += areas(result)
        lines += section("proven rows, by what fails with a planted defect", kills(result))
        lines += section("unproven rows", result.unproven.flatMap(unproven))
        lines += section("promises of the server, proven by conformance cases", result.conformant.map(conformant))
        lines += section("proven by a unit test, not by a scenario", result.tested.map(tested))
        lines += section("surviving defects", result.survivors.map(survivor))
        lines += section(
            "defects not built",
            result.notBuilt.map { "  \($0.name)  \($0.rows.joined(separator: ", "), .dim)" }
        )
        lines += section(
            "expectations that prove nothing",
            result.unprovable.map { "  \($0.location)  \($0.word)  \($0.title, .dim)" }
        )
        lines += section("expectations that no planted defect breaks", unbroken(result.unbroken.count))
        lines += section("not testable", result.untestable.map(untestable))
        return terminal.text(of: lines)
    }

    /// Returns the first line, such as `COVERAGE  140 of 157 testable rows proven, 96 of 99 defects killed`.
    package func headline(_ result: CoverageResult) -> String { terminal.text(of: [opening(result)]) }

    private func opening(_ result: CoverageResult) -> StyledLine {
        let rows = "\(result.proven.count) of \(result.testable.count) testable rows proven"
        let conformant = result.conformant.isEmpty ? "" : ", \(result.conformant.count) by conformance cases"
        let tested = result.tested.isEmpty ? "" : ", \(result.tested.count) proven by unit tests"
        let unverified = result.unverified.isEmpty ? "" : ", \(result.unverified.count) not verified without --tests"
        let defects = "\(result.killed.count) of \(result.built.count) defects killed"
        let absent = result.notBuilt.isEmpty ? "" : ", \(result.notBuilt.count) not built"
        let worlds = result.worlds.map(\.rawValue).joined(separator: " and ")
        let cases = result.cases == 1 ? "1 case" : "\(result.cases) cases"
        let scope = "(\(cases) in \(worlds))"
        return "\("COVERAGE", .bold)  \(rows)\(conformant)\(tested)\(unverified); \(defects)\(absent)  \(scope, .dim)"
    }

    private func areas(_ result: CoverageResult) -> [StyledLine] {
        var order: [String] = []
        var groups: [String: [RowStatus]] = [:]
        for status in result.rows where status.row.isTestable {
            let name = "\(status.row.audit) \(status.row.area)"
            if groups[name] == nil { order.append(name) }
            groups[name, default: []].append(status)
        }
        let width = (order.map(\.count).max() ?? 0) + 2
        return order.map { name in
            let rows = groups[name] ?? []
            let settled = rows.count(where: \.isProven)
            let figure = "\(settled) of \(rows.count)"
            let gap = String(repeating: " ", count: width - name.count)
            return "  \(name)\(gap)\(figure, settled == rows.count ? .green : .yellow)"
        }
    }

    /// Returns the lines about planted defects: how many rows have an expectation that fails when one of the row's
    /// defects is planted, and which rows do not.
    private func kills(_ result: CoverageResult) -> [StyledLine] {
        let width = (RowStatus.Kill.allCases.map(\.inWords.count).max() ?? 0) + 2
        return RowStatus.Kill.allCases.compactMap { kill in
            let rows = result.proven(killed: kill).map(\.row.id)
            guard !rows.isEmpty else { return nil }
            let gap = String(repeating: " ", count: width - kill.inWords.count)
            let isWeak = kill == .elsewhere || kill == .nothing
            let names = isWeak ? "  \(rows.joined(separator: ", "))" : ""
            return "  \(kill.inWords)\(gap)\(String(rows.count), isWeak ? .yellow : .green)\(names, .dim)"
        }
    }

    private func section(_ title: String, _ lines: [StyledLine]) -> [StyledLine] {
        lines.isEmpty ? [] : ["", "\(title, .bold)"] + lines
    }

    private func unproven(_ status: RowStatus) -> [StyledLine] {
        let reasons: [StyledLine] = status.reasons.map { "      \($0)" }
        return ["  \(status.row.id, .yellow)  \(status.row.title)"] + reasons + hints(status)
    }

    /// Returns the lines that describe what a scenario must do to prove the row (an audit's requirement).
    private func hints(_ status: RowStatus) -> [StyledLine] {
        guard status.reasons.contains(.notCovered) else { return [] }
        var hints: [String] = []
        if !status.row.defects.isEmpty {
            hints.append("must fail with \(status.row.defects.joined(separator: ", "))")
        }
        if !status.row.asserts.isEmpty {
            hints.append("must check \(status.row.asserts.map(String.init(describing:)).joined(separator: ", "))")
        }
        return hints.map { "      \($0, .dim)" }
    }

    private func tested(_ status: RowStatus) -> StyledLine {
        guard case .tested(let test) = status.status else { return "" }
        return "  \(status.row.id)  \(status.row.title)  \(test, .dim)"
    }

    private func conformant(_ status: RowStatus) -> StyledLine {
        guard case .conformant(let cases) = status.status else { return "" }
        return "  \(status.row.id)  \(status.row.title)  \(cases.joined(separator: ", "), .dim)"
    }

    private func survivor(_ status: DefectStatus) -> StyledLine {
        guard case .survives(let tried) = status.fate else { return "" }
        let how = tried == 0 ? "no scenario covers its rows" : "passes \(tried == 1 ? "1 file" : "\(tried) files")"
        return "  \(status.name)  \(status.rows.joined(separator: ", "), .dim)\("; \(how)", .dim)"
    }

    private func unbroken(_ count: Int) -> [StyledLine] {
        guard count > 0 else { return [] }
        let hint = "listed by --format json and --format markdown; they add nothing to the proof of a row"
        return ["  \(String(count)) that cover rows  \(hint, .dim)"]
    }

    private func untestable(_ status: RowStatus) -> StyledLine {
        guard case .untestable(let reason) = status.status else { return "" }
        return "  \(status.row.id)  \(status.row.title)  \(reason, .dim)"
    }
}
