import Foundation
package import ScenarioModel
package import SquallCore

/// The results of earlier suites in the folder of a report, as far as they decide what is played next.
package struct LastResults: Sendable {
    /// A case that failed or was inconclusive in one world when it was last played there.
    package struct Failure: Hashable, Sendable {
        package var key: CaseKey
        package var world: String

        package init(key: CaseKey, world: String) {
            self.key = key
            self.world = world
        }
    }

    /// The runs that failed or were inconclusive, in the order of the suites.
    package private(set) var failures: [Failure] = []
    /// The total real time of the runs of each case.
    package private(set) var wall: [CaseKey: TimeSpan] = [:]

    /// The cases of which a run failed or was inconclusive.
    package var failed: Set<CaseKey> { Set(failures.map(\.key)) }

    /// The file in a report's folder that lists the failures. Unlike `results.json`, it also has those of cases that
    /// the last suite did not play, and a mistake in a scenario file does not remove it.
    static let fileName = "last-failed.json"

    package init() {}

    /// Reads the results in the folder of a report.
    ///
    /// - Throws: ``SquallError`` if there are none, or if they are no list of results.
    package init(report folder: String) throws(SquallError) {
        let list = try Self.runs(in: "\(folder)/\(Self.fileName)")
        let path = "\(folder)/results.json"
        let results = try Self.runs(in: path)
        guard list != nil || results != nil else { throw .usage("there are no earlier results in '\(path)'") }
        for run in results ?? [] {
            let nanoseconds = Int64(run.json["wall_ns"]?.intValue ?? 0)
            let earlier = wall[run.failure.key] ?? .zero
            wall[run.failure.key] = earlier + TimeSpan(nanoseconds: max(0, nanoseconds))
        }
        let bad = [CaseVerdict.fail, .inconclusive].map(\.rawValue)
        failures =
            list?.map(\.failure)
            ?? (results ?? []).filter { bad.contains($0.json["verdict"]?.stringValue ?? "") }.map(\.failure)
    }

    /// The runs that a file lists; nil if there is no file.
    private static func runs(in path: String) throws(SquallError) -> [(failure: Failure, json: JSON)]? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        guard let json = try? JSON.decode(Array(data), limits: ReportFiles.limits),
            let runs = json["scenarios"]?.arrayValue
        else {
            throw .usage("'\(path)' is not a list of results")
        }
        return runs.compactMap { run in
            guard let file = run["file"]?.stringValue else { return nil }
            let key = CaseKey(file: file, variant: run["case"]?.stringValue)
            return (Failure(key: key, world: run["world"]?.stringValue ?? ""), run)
        }
    }

    /// The failures whose case still exists, as far as these cases, all of some files, tell.
    package func failures(among scenarios: [Scenario]) -> [Failure] {
        let files = Set(scenarios.map(\.file))
        let cases = Set(scenarios.map(\.caseKey))
        return failures.filter { failure in
            files.contains(failure.key.file)
                ? cases.contains(failure.key) : FileManager.default.fileExists(atPath: failure.key.file)
        }
    }

    /// The text of the file that lists the failures after a suite: its own, and the earlier ones that it did not play.
    static func list(after suite: SuiteResult, earlier: [Failure]) -> String {
        let runs = suite.runs.filter(\.wasPlayed)
        func failure(_ run: CaseResult) -> Failure { Failure(key: run.key, world: run.world.rawValue) }
        let played = Set(runs.map(failure))
        var failures = earlier.filter { !played.contains($0) }
        for run in runs where [.fail, .inconclusive].contains(run.verdict) {
            let failure = failure(run)
            if !failures.contains(failure) { failures.append(failure) }
        }
        let json: JSON = [
            "schema": 1,
            "scenarios": .array(
                failures.map { failure in
                    [
                        "file": .string(failure.key.file),
                        "case": failure.key.variant.map { .string($0) } ?? .null,
                        "world": .string(failure.world),
                    ]
                }
            ),
        ]
        return String(decoding: json.encodePretty(), as: UTF8.self) + "\n"
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
