import Foundation
package import ScenarioModel
package import SquallCore

/// The results of an earlier suite, as far as they decide what is played next.
package struct LastResults: Sendable {
    /// The cases of which a run failed or was inconclusive.
    package private(set) var failed: Set<CaseKey> = []
    /// How long the runs of each case took together, in real time.
    package private(set) var wall: [CaseKey: TimeSpan] = [:]

    package init() {}

    /// Reads `results.json` in the folder of a report.
    ///
    /// - Throws: ``SquallError`` if there is none, or if it is no list of results.
    package init(report folder: String) throws(SquallError) {
        let path = "\(folder)/results.json"
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .usage("there are no earlier results in '\(path)'")
        }
        guard let json = try? JSON.decode(Array(data), limits: ReportFiles.limits),
            let runs = json["scenarios"]?.arrayValue
        else {
            throw .usage("'\(path)' is not a list of results")
        }
        for run in runs {
            guard let file = run["file"]?.stringValue, let verdict = run["verdict"]?.stringValue else { continue }
            let key = CaseKey(file: file, variant: run["case"]?.stringValue)
            if [CaseVerdict.fail, .inconclusive].map(\.rawValue).contains(verdict) { failed.insert(key) }
            let nanoseconds = Int64(run["wall_ns"]?.intValue ?? 0)
            wall[key, default: .zero] = wall[key, default: .zero] + TimeSpan(nanoseconds: max(0, nanoseconds))
        }
    }
}

/// A list of files that a program has made, such as those that a commit changes.
package enum FileList {
    /// The YAML files of a list with a path on each line: scenarios, files that no longer exist, and all others.
    ///
    /// A list of changes has all three, such as a changed workflow of a CI system.
    package static func scenarios(in text: String) -> (paths: [String], missing: [String], others: [String]) {
        let named = text.split(whereSeparator: \.isNewline).map(String.init).filter { path in
            path.hasSuffix(".yaml") || path.hasSuffix(".yml")
        }
        let present = named.filter { FileManager.default.fileExists(atPath: $0) }
        let paths = present.filter(isScenario)
        return (paths, named.filter { !present.contains($0) }, present.filter { !paths.contains($0) })
    }

    /// Whether a file has the key `squall`, with which every scenario begins. A file that cannot be read counts as a
    /// scenario, so that loading it reports why.
    private static func isScenario(_ path: String) -> Bool {
        guard let data = FileManager.default.contents(atPath: path) else { return true }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).contains { line in
            line.hasPrefix("squall:")
        }
    }

    /// Reads the list from a file, or from standard input for `-`.
    package static func read(_ path: String) throws(SquallError) -> String {
        let data =
            path == "-"
            ? FileHandle.standardInput.readDataToEndOfFile()
            : FileManager.default.contents(atPath: path)
        guard let data else { throw .usage("'\(path)' cannot be read") }
        return String(decoding: data, as: UTF8.self)
    }
}
