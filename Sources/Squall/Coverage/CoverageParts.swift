import Foundation
import Reports
package import ScenarioModel
import SquallCore

/// Reads, checks and merges the parts of a coverage measurement that was divided among several machines.
package enum CoverageParts {
    package static func write(_ part: CoveragePart, to path: String) throws(SquallError) {
        try WholeFile.write(CoveragePartJSON.encode(part).encode(), to: path)
    }

    /// Reads all parts of one measurement and returns the evidence of the whole suite.
    ///
    /// - Throws: ``SquallError`` if a file cannot be read or is not a part, or if the files are not exactly the parts
    ///   of one measurement.
    package static func merge(_ paths: [String]) throws(SquallError) -> CoveragePart {
        var parts: [(file: String, part: CoveragePart)] = []
        for path in paths { parts.append((path, try read(path))) }
        if let mismatch = SuiteParts.mismatch(of: parts.map { ($0.file, $0.part.origin) }) ?? mismatch(of: parts) {
            throw .scenarios("squall: \(mismatch)")
        }
        parts.sort { ($0.part.origin.part?.index ?? 1) < ($1.part.origin.part?.index ?? 1) }
        var whole = parts[0].part
        whole.origin.part = nil
        whole.evidence = parts.reduce(CoverageEvidence()) { $0 + $1.part.evidence }
        return whole
    }

    private static func mismatch(of parts: [(file: String, part: CoveragePart)]) -> String? {
        guard let first = parts.first else { return nil }
        if let other = parts.first(where: { $0.part.rows != first.part.rows }) {
            return "'\(first.file)' and '\(other.file)' measure different rows (--rows, --area)"
        }
        guard first.part.origin.version != SquallVersion.current else { return nil }
        return "the parts are of squall \(first.part.origin.version), and this is \(SquallVersion.current)"
    }

    private static func read(_ path: String) throws(SquallError) -> CoveragePart {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .scenarios("squall: '\(path)' cannot be read")
        }
        let limits = JSONLimits(depth: 16, size: 1 << 30)
        guard let json = try? JSON.decode(Array(data), limits: limits), let part = CoveragePartJSON.decode(json) else {
            throw .scenarios("squall: '\(path)' is not a part that 'squall coverage --shard' has written")
        }
        return part
    }
}
