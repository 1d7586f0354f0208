import Foundation
import Mutating

/// Reports the verdicts: a table by folder, and a list of the surviving mutants.
struct Score {
    let verdicts: [Verdict]
    /// The reason why each equivalent mutant cannot be detected, keyed by the mutant's ID.
    let equivalents: [String: String]
    /// The folder that the report's paths are relative to.
    let repository: URL

    private var counted: [Verdict] { verdicts.filter { equivalents[$0.mutant.id] == nil } }

    func table() -> String {
        let header =
            ["concern", "mutants", "met"] + Stage.allCases.map(\.rawValue) + ["nothing", "killed"]
        var rows = [header]
        let groups = Dictionary(grouping: counted) { Self.folder($0.mutant.file) }
        for (folder, verdicts) in groups.sorted(by: { $0.key < $1.key }) { rows.append(Self.row(folder, verdicts)) }
        rows.append(Self.row("all", counted))
        let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            zip(row, widths).enumerated().map { index, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return index == 0 ? cell.0 + space : space + cell.0
            }.joined(separator: "  ")
        }
        return lines.joined(separator: "\n")
    }

    private static func row(_ name: String, _ verdicts: [Verdict]) -> [String] {
        let killed = verdicts.count { $0.killer != nil }
        let percent = verdicts.isEmpty ? "-" : "\(killed * 100 / verdicts.count) %"
        return [name, "\(verdicts.count)", "\(verdicts.count { $0.isMet })"]
            + Stage.allCases.map { stage in "\(verdicts.count { $0.killer == stage })" }
            + ["\(verdicts.count - killed)", percent]
    }

    private static func folder(_ file: String) -> String {
        file.split(separator: "/").dropFirst().dropLast().joined(separator: "/")
    }

    /// Lists each undetected mutant with the line that it changes.
    func survivors() -> String {
        counted.filter { $0.killer == nil }.sorted {
            ($0.mutant.file, $0.mutant.line) < ($1.mutant.file, $1.mutant.line)
        }
        .map { verdict in
            let mutant = verdict.mutant
            let met = verdict.isMet ? "" : ", never met"
            return "\(mutant.file):\(mutant.line): \(mutant.kind.rawValue) in \(mutant.function)\(met)\n"
                + "  id:       \(mutant.id)\n  original: \(mutant.text)\n  mutant:   \(mutant.mutated)"
        }.joined(separator: "\n")
    }

    func json(seed: UInt64, isHeldOut: Bool) throws -> Data {
        struct Document: Encodable {
            var schema = 1
            var seed: UInt64
            var heldOut: Bool
            var verdicts: [Verdict]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let shown = isHeldOut ? verdicts.filter { $0.killer != nil } : verdicts
        return try encoder.encode(Document(seed: seed, heldOut: isHeldOut, verdicts: shown))
    }

    /// Parses lines that consist of an id, ` # ` and a reason.
    static func equivalents(_ text: String) throws -> [String: String] {
        var reasons: [String: String] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " # ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw Failure("equivalents.txt: no reason after ' # ': \(line)") }
            reasons[parts[0]] = parts[1]
        }
        return reasons
    }
}
