package import Exploration
package import ScenarioModel
import SquallCore
import TemporalLogic

/// Parses a scenario file. Returns its cases, or all errors if the file is invalid.
package enum ScenarioReader {
    /// Reads a file. `override`, the name of a built-in profile or the path of a profile file, replaces the file's
    /// profile.
    ///
    /// If there is a catalogue, every id in `covers` must identify one of its rows; otherwise only the syntax of the
    /// ids is checked.
    package static func read(
        _ source: SourceText,
        profile override: String? = nil,
        profiles: ProfileFiles = .none,
        catalogue: Catalogue? = nil
    ) -> Result<[Scenario], ScenarioMistakes> {
        let root: SourceNode
        var mistakes: [Diagnostic] = []
        do throws(Diagnostic) {
            root = try YAMLReader.read(source)
        } catch {
            guard let repaired = repaired(source) else { return .failure(ScenarioMistakes([error])) }
            root = repaired.root
            mistakes = repaired.mistakes
        }
        guard let members = root.members else {
            let mistake = root.mistake("a scenario is a mapping, not \(root.inWords)", help: beginning, in: source)
            return .failure(ScenarioMistakes(mistakes + [mistake]))
        }
        if let mistake = versionMistake(members, source) { return .failure(ScenarioMistakes([mistake])) }

        let tableLog = MistakeLog()
        let table = CaseTable.read(root, ValueReader(source: source, profile: Profile()), tableLog)
        mistakes += tableLog.diagnostics
        var scenarios: [Scenario] = []
        var found: [[Diagnostic]] = []
        for row in table.cases {
            let log = MistakeLog()
            let body = table.body(of: root, for: row, log, in: source)
            let reader = CaseReader(source: source, log: log, catalogue: catalogue, profiles: profiles)
            let scenario = reader.read(body, variant: row.name, profile: override)
            if var scenario {
                if let own = row.node?.lines, let table = root["with"]?.lines { scenario.rows = (own, table) }
                scenarios.append(scenario)
            }
            found.append(log.diagnostics)
            if log.isFull { break }
        }
        mistakes += merged(found, table)
        mistakes += table.unusedColumns(in: source)
        guard mistakes.isEmpty else { return .failure(ScenarioMistakes(inOrderOfFile: mistakes)) }
        return .success(scenarios)
    }

    /// Reads one case of a valid file as a draft that can be modified and written back to a file. `variant` is the name
    /// of a case in a `with:` table.
    ///
    /// Returns nil if there is no such case.
    package static func draft(_ source: SourceText, variant: String?) -> Draft? {
        guard let root = try? YAMLReader.read(source), root.members != nil else { return nil }
        let log = MistakeLog()
        let table = CaseTable.read(root, ValueReader(source: source, profile: Profile()), log)
        guard let row = table.cases.first(where: { $0.name == variant }) else { return nil }
        let body = table.body(of: root, for: row, log, in: source)
        return DraftReader(source: source, log: log).read(body)
    }

    /// Parses the file as if the missing quotes around names with brackets were present. Returns the root node and an
    /// error for each such name; nil if no quotes are missing.
    private static func repaired(_ source: SourceText) -> (root: SourceNode, mistakes: [Diagnostic])? {
        let repair = BracketQuoting.repaired(source.text)
        guard !repair.findings.isEmpty, repair.findings.count <= MistakeLog.limit,
            let root = try? YAMLReader.read(SourceText(file: source.file, text: repair.text))
        else { return nil }
        return (BracketQuoting.restored(root), repair.findings.map { BracketQuoting.diagnostic($0, in: source) })
    }

    /// The names of all keywords in the language.
    package static let words = LanguageWord.names(LanguageWord.all)

    private static let beginning = "a scenario begins with 'squall: 1' and 'name: …'"

    /// Returns the error in the version line; nil if the line is valid. An invalid version line stops the reader,
    /// because the file may not be a scenario.
    private static func versionMistake(_ members: [SourceNode.Member], _ source: SourceText) -> Diagnostic? {
        guard let index = members.firstIndex(where: { $0.name == "squall" }) else {
            let key = members.first?.key ?? SourceNode(kind: .list([]), line: 1, column: 1)
            return key.mistake("this is not a scenario: 'squall: 1' is missing", help: beginning, in: source)
        }
        let member = members[index]
        guard member.value.plain == "1" else {
            let version = member.value.scalar?.shortened ?? member.value.inWords
            let isQuoted = member.value.scalar == "1"
            return member.value.mistake(
                isQuoted
                    ? "the version of the scenario language is a number, not a text"
                    : "unsupported version \(version) of the scenario language; this squall reads version 1",
                help: isQuoted
                    ? "write 'squall: 1' without quotes"
                    : "write 'squall: 1', or use a squall that reads this version ('squall --version' prints this one's)",
                in: source
            )
        }
        guard index == 0 else {
            return member.key.mistake("'squall: 1' must be the first key", in: source)
        }
        return nil
    }

    /// Merges the errors from all cases (`found`) and removes duplicates. An error that does not occur in all cases of
    /// the table names the first case in which it occurs.
    private static func merged(_ found: [[Diagnostic]], _ table: CaseTable) -> [Diagnostic] {
        var order: [Diagnostic] = []
        var places: [Diagnostic: [Int]] = [:]
        for (index, diagnostics) in found.enumerated() {
            for diagnostic in diagnostics {
                if places[diagnostic] == nil { order.append(diagnostic) }
                places[diagnostic, default: []].append(index)
            }
        }
        return order.map { diagnostic in
            guard let cases = places[diagnostic], cases.count < found.count, let first = cases.first else {
                return diagnostic
            }
            var diagnostic = diagnostic
            diagnostic.variant = table.cases[first].name
            return diagnostic
        }
    }
}
