import Foundation
package import Reports
package import ScenarioModel
import SquallCore
import Trace

/// A folder with the results of a suite: `index.html`, `results.json`, `junit.xml`, and a folder with `trace.jsonl` for
/// each run.
package struct ReportFolder: Sendable {
    private let path: String

    /// Creates the folder and checks that it is writable, before any case is run.
    ///
    /// - Throws: ``SquallError`` if the folder cannot be created or written, contains an `index.html` written by
    ///   another program, or is the report folder of another running process.
    package init(path: String) throws(SquallError) {
        self.path = path
        if let page = FileManager.default.contents(atPath: "\(path)/index.html"),
            String(decoding: page.prefix(4096), as: UTF8.self).firstRange(of: "<title>Squall") == nil, !page.isEmpty
        {
            throw .usage(
                "'\(path)/index.html' is not a report of Squall, and a report would replace it; name another folder"
            )
        }
        try Self.makeFolder(path)
        try FolderClaim.take(path)
        try Self.check("\(path)/.squall")
    }

    /// Checks that a file can be written, before any work is spent on its contents. An existing file is not changed.
    ///
    /// - Throws: ``SquallError`` if the file cannot be written, or if `path` is `-`, which usually denotes standard
    ///   output.
    package static func check(_ path: String) throws(SquallError) {
        guard path != "-" else {
            throw .usage("'-' is not an output file: standard output has other results; name a file, such as './-'")
        }
        var isFolder: ObjCBool = false
        guard !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            guard !isFolder.boolValue else { throw .failed("'\(path)' cannot be written: it is a folder") }
            guard !FileManager.default.isWritableFile(atPath: path) else { return }
            throw .failed("'\(path)' cannot be written: it is write-protected")
        }
        try WholeFile.write("", to: path)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns whether two paths refer to the same folder.
    package static func isSame(_ left: String, _ right: String) -> Bool {
        func real(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().standardized.path }
        return real(left) == real(right)
    }

    /// Writes a suite's files and returns the errors. If a file cannot be written, the other files are still written.
    ///
    /// - Parameters:
    ///   - suite: The results.
    ///   - tracesOfPasses: Whether the traces of runs that passed are written as well.
    ///   - earlier: The failures of earlier runs; the failures of cases that this suite has not run are kept.
    package func write(
        _ suite: SuiteResult,
        tracesOfPasses: Bool = true,
        earlier: [LastResults.Failure] = []
    ) -> [SquallError] {
        let saved = Self.saved(of: suite, tracesOfPasses: tracesOfPasses)
        var failures: [SquallError] = []
        func attempt(_ work: () throws(SquallError) -> Void) {
            do throws(SquallError) { try work() } catch { failures.append(error) }
        }
        attempt { () throws(SquallError) in
            try WholeFile.write(
                String(decoding: ResultsJSON.render(suite).encodePretty(), as: UTF8.self) + "\n",
                to: "\(path)/results.json"
            )
        }
        attempt { () throws(SquallError) in
            try WholeFile.write(
                LastResults.list(after: suite, earlier: earlier),
                to: "\(path)/\(LastResults.fileName)"
            )
        }
        attempt { () throws(SquallError) in
            try WholeFile.write(Self.junit(of: suite, in: path), to: "\(path)/junit.xml")
        }
        attempt { () throws(SquallError) in try WholeFile.write(page(of: suite, saved: saved), to: "\(path)/index.html")
        }
        removeRuns(except: saved)
        for run in suite.runs {
            let name = RunFolder.name(of: run)
            guard saved.contains(name) else { continue }
            let folder = "\(path)/\(name)"
            attempt { () throws(SquallError) in
                try Self.makeFolder(folder)
                try WholeFile.write(TraceCodec.encode(run.recording), to: "\(folder)/trace.jsonl")
            }
            let packets = "\(folder)/\(RunCapture.name)"
            if let capture = run.capture {
                attempt { () throws(SquallError) in try WholeFile.write(capture.bytes, to: packets) }
            } else {
                // Packets captured in an earlier run do not correspond to the new trace, so they are removed.
                try? FileManager.default.removeItem(atPath: packets)
            }
        }
        return failures
    }

    /// Writes a comparison's page, which contains both runs of each changed case. `old` and `new` are the names of the
    /// two reports.
    package func write(_ comparison: SuiteComparison, old: String, new: String) throws(SquallError) {
        try WholeFile.write(ComparisonPage.render(comparison, old: old, new: new), to: "\(path)/index.html")
    }

    /// Writes the `junit.xml` for a suite that was not run; returns the errors.
    ///
    /// The page, the results and the traces of an earlier run are removed, so that they are not mistaken for results of
    /// this run.
    package func write(_ suite: UnplayedSuite) -> [SquallError] {
        for name in ["index.html", "results.json"] { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }
        removeRuns(except: [])
        do throws(SquallError) {
            try WholeFile.write(JUnitReport.render(suite), to: "\(path)/junit.xml")
            return []
        } catch {
            return [error]
        }
    }

    /// Returns the JUnit XML for a suite; the attachments are the traces in the report folder `path`, unless `path` is
    /// nil.
    ///
    /// - Parameter variable: Returns the value of an environment variable; the variables identify the CI system.
    package static func junit(
        of suite: SuiteResult,
        in path: String?,
        variable: (String) -> String? = { ProcessInfo.processInfo.environment[$0] }
    ) -> String {
        let folder = path.map { attachmentFolder($0, variable) }
        return JUnitReport.render(suite) { run in
            guard let folder, run.wasPlayed else { return nil }
            return "\(folder)/\(RunFolder.name(of: run))/trace.jsonl"
        }
    }

    /// Returns the path of a report's folder in the form that a CI system needs to resolve attachments: relative to the
    /// project for GitLab, absolute for Jenkins, otherwise `path`. `variable` returns the value of an environment
    /// variable.
    private static func attachmentFolder(_ path: String, _ variable: (String) -> String?) -> String {
        let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
        if let project = variable("CI_PROJECT_DIR") {
            let base = URL(fileURLWithPath: project).standardizedFileURL.path + "/"
            return absolute.hasPrefix(base) ? String(absolute.dropFirst(base.count)) : path
        }
        return variable("JENKINS_URL") ?? variable("JENKINS_HOME") == nil ? path : absolute
    }

    /// Removes the traces and packets of earlier runs, which the new page does not link to, from all run folders except
    /// those in `kept`.
    private func removeRuns(except kept: Set<String>) {
        guard let walk = FileManager.default.enumerator(atPath: path) else { return }
        var stale: [String] = []
        while let name = walk.nextObject() as? String {
            // A folder with its own `results.json` contains a separate report.
            if FileManager.default.fileExists(atPath: "\(path)/\(name)/results.json") {
                walk.skipDescendants()
            } else if RunFolder.isName(name), !kept.contains(name) {
                stale.append(name)
            }
        }
        for name in stale {
            for file in ["trace.jsonl", RunCapture.name] {
                try? FileManager.default.removeItem(atPath: "\(path)/\(name)/\(file)")
            }
            // `rmdir` fails for a folder that contains other files. Parent folders are removed once they are empty.
            var folder = name
            while !folder.isEmpty, rmdir("\(path)/\(folder)") == 0 {
                folder = folder.split(separator: "/").dropLast().joined(separator: "/")
            }
        }
    }

    /// Returns the folders of the runs whose traces are saved: runs that did not pass, runs of cases that behave
    /// differently in simulated and live runs, and all other runs if `tracesOfPasses` is true.
    private static func saved(of suite: SuiteResult, tracesOfPasses: Bool) -> Set<String> {
        var saved: Set<String> = []
        for report in suite.cases {
            let isSuspect = report.parity.map { $0 != .equal } ?? false
            for run in report.runs where run.wasPlayed && run.hasWholeTrace {
                guard tracesOfPasses || isSuspect || run.verdict != .pass else { continue }
                saved.insert(RunFolder.name(of: run))
            }
        }
        return saved
    }

    private func page(of suite: SuiteResult, saved: Set<String>) -> String {
        var sources: [String: String] = [:]
        for file in Set(suite.runs.map(\.file)) {
            sources[file] = ScenarioFiles.contents(of: file).map { String(decoding: $0, as: UTF8.self) }
        }
        return HTMLReport.render(suite, sources: sources) { run in
            let name = RunFolder.name(of: run)
            return saved.contains(name) ? "\(name)/trace.jsonl" : nil
        }
    }

    static func makeFolder(_ path: String) throws(SquallError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .failed(
                "the folder '\(path)' cannot be created (\(systemReason(error))); name another folder"
            )
        }
    }
}
