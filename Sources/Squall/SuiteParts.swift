import Foundation
import Reports
package import ScenarioModel
import SquallCore

/// Merges the reports of a suite's shards, which were run on several machines.
package enum SuiteParts {
    /// Reads the reports of all shards of a suite and returns the complete suite. `command` is the command line that
    /// is recorded in the suite's origin.
    ///
    /// - Throws: ``SquallError`` if a report cannot be read, or if the reports are not the complete set of one suite's
    ///   shards.
    package static func merge(_ folders: [String], command: [String]) throws(SquallError) -> SuiteResult {
        var readers: [(folder: String, reader: ResultsReader, origin: SuiteOrigin)] = []
        for given in folders {
            let folder = folder(of: given)
            let reader = try ReportFiles.reader(folder)
            guard let origin = reader.origin else {
                throw .scenarios("squall: '\(folder)/results.json' does not say how it was made: 'run' is missing")
            }
            readers.append((folder, reader, origin))
        }
        if let mismatch = mismatch(of: readers.map { ($0.folder, $0.origin) }) {
            throw .scenarios("squall: \(mismatch)")
        }
        readers.sort { ($0.origin.part?.index ?? 1) < ($1.origin.part?.index ?? 1) }
        var parts: [SuiteResult] = []
        for item in readers { parts.append(try ReportFiles.suite(item.reader, in: item.folder)) }
        var whole = merged(parts)
        whole.origin?.command = SuiteOrigin.text(ofCommand: command)
        return whole
    }

    /// Returns the folder of a report, given the path of the folder itself or of its `results.json`.
    private static func folder(of path: String) -> String {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
            return path
        }
        return URL(fileURLWithPath: path).deletingLastPathComponent().relativePath
    }

    /// Returns an explanation if the reports are not exactly the shards of one suite; otherwise nil.
    static func mismatch(of reports: [(folder: String, origin: SuiteOrigin)]) -> String? {
        guard let first = reports.first else { return "no report is given" }
        func facts(_ origin: SuiteOrigin) -> [(name: String, value: String)] {
            origin.facts + [
                ("commit", origin.commit ?? "none"), ("cases or scenario files (digest)", origin.suite),
            ]
        }
        for (folder, origin) in reports.dropFirst() {
            for (expected, found) in zip(facts(first.origin), facts(origin)) where expected.value != found.value {
                return """
                    the reports differ in their \(found.name): '\(first.folder)' has \(expected.value), '\(folder)' \
                    has \(found.value)
                    """
            }
        }
        let count = first.origin.part?.count ?? 1
        var folders: [Int: String] = [:]
        for (folder, origin) in reports {
            let index = origin.part?.index ?? 1
            if let other = folders[index] { return "'\(other)' and '\(folder)' are both part \(index) of \(count)" }
            folders[index] = folder
        }
        let missing = (1...count).filter { folders[$0] == nil }
        guard !missing.isEmpty else { return nil }
        let list = missing.prefix(20).map(String.init).joined(separator: ", ")
        let rest = missing.count > 20 ? " and \(missing.count - 20) more" : ""
        let (noun, verb) = missing.count == 1 ? ("part", "is") : ("parts", "are")
        return "\(noun) \(list)\(rest) of \(count) \(verb) missing"
    }

    /// Merges a suite's shards, given in order.
    static func merged(_ parts: [SuiteResult]) -> SuiteResult {
        var whole = SuiteResult(
            cases: inOrder(parts),
            // The shards run concurrently, so the suite takes as long as the longest shard.
            wall: parts.map(\.wall).max() ?? .zero,
            interrupted: parts.contains(where: \.interrupted),
            unplayed: parts.reduce(0) { $0 + $1.unplayed },
            isEmptyPart: parts.allSatisfy(\.isEmptyPart)
        )
        // Each shard was stopped after its own number of failures, so the limits are added.
        let limits = parts.compactMap(\.failureLimit)
        whole.failureLimit = limits.isEmpty ? nil : limits.reduce(0, +)
        whole.leftOut = parts.flatMap(\.leftOut)
        // Every shard reports stale entries for the files that it has run, so two shards may report the same entry.
        for entry in parts.flatMap(\.staleKnownFailures) where !whole.staleKnownFailures.contains(entry) {
            whole.staleKnownFailures.append(entry)
        }
        whole.origin = parts.first?.origin
        whole.origin?.part = nil
        if Set(parts.map { $0.origin?.host }).count > 1 { whole.origin?.host = nil }
        return whole
    }

    /// Returns the cases in the order of the complete suite, seed by seed. Consecutive cases belong to different
    /// shards.
    private static func inOrder(_ parts: [SuiteResult]) -> [CaseReport] {
        var places: [(seed: UInt64, place: Int, part: Int, report: CaseReport)] = []
        for (part, suite) in parts.enumerated() {
            var counts: [UInt64: Int] = [:]
            let first = suite.origin?.seed.value ?? 0
            for report in suite.cases {
                guard let run = report.runs.first else { continue }
                let round = run.seed.value &- first
                places.append((round, counts[round, default: 0], part, report))
                counts[round, default: 0] += 1
            }
        }
        return places.sorted { ($0.seed, $0.place, $0.part) < ($1.seed, $1.place, $1.part) }.map(\.report)
    }
}
