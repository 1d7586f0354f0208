import Foundation
package import Reports
import ScenarioModel
import SquallCore
import Trace

/// Compares two reports of a suite, including the traces in their folders.
package enum ReportComparison {
    /// Compares two reports, each given as the path of its folder or of its `results.json`.
    ///
    /// - Throws: ``SquallError`` if a report cannot be read or is invalid, or if the reports belong to different parts
    ///   of a suite.
    package static func between(_ old: String, _ new: String) throws(SquallError) -> SuiteComparison {
        let (before, after) = (try read(old), try read(new))
        if before.suite.origin?.part != after.suite.origin?.part {
            throw .scenarios(
                """
                squall: '\(old)' has \(part(of: before.suite)), '\(new)' \(part(of: after.suite)); \
                'squall merge' puts the parts of a suite together
                """
            )
        }
        var comparison = SuiteComparison(from: before.suite, to: after.suite)
        for index in comparison.cases.indices where comparison.cases[index].change != .unchanged {
            if let run = comparison.cases[index].old?.run, let trace = try trace(of: run, in: before.folder) {
                comparison.cases[index].old?.run.add(trace)
            }
            if let run = comparison.cases[index].new?.run, let trace = try trace(of: run, in: after.folder) {
                comparison.cases[index].new?.run.add(trace)
            }
            diverge(&comparison.cases[index])
        }
        return comparison
    }

    /// Finds the first event in which the two runs of a case differ, if both have their traces.
    static func diverge(_ compared: inout ComparedCase) {
        guard let pair = compared.pair else { return }
        compared.divergence = TraceDivergence.between(
            pair.old.recording,
            pair.new.recording,
            rule: Registry.parity
        )
    }

    private static func read(_ path: String) throws(SquallError) -> (suite: SuiteResult, folder: String) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw .usage("there is no report '\(path)'")
        }
        let file = isFolder.boolValue ? "\(path)/results.json" : path
        let suite = try ReportFiles.suite(try ReportFiles.reader(file: file), named: file)
        let parent = URL(fileURLWithPath: file).deletingLastPathComponent().relativePath
        return (suite, isFolder.boolValue ? path : parent)
    }

    private static func trace(of run: CaseResult, in folder: String) throws(SquallError) -> Recording? {
        guard run.wasPlayed else { return nil }
        return try ReportFiles.trace(in: "\(folder)/\(RunFolder.name(of: run))")
    }

    private static func part(of suite: SuiteResult) -> String {
        guard let part = suite.origin?.part else { return "the whole suite" }
        return "part \(part.index) of \(part.count)"
    }
}
