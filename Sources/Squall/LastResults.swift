import Foundation
package import ScenarioModel
package import SquallCore

/// The results of earlier suites, read from a report's folder; they determine which cases are run next.
package struct LastResults: Sendable {
    /// A case whose last run in one world (simulated or live) failed or was inconclusive.
    package struct Failure: Hashable, Sendable {
        package var key: CaseKey
        package var world: String
        package var client: TestedClient

        package init(key: CaseKey, world: String, client: TestedClient = TestedClient()) {
            self.key = key
            self.world = world
            self.client = client
        }
    }

    /// All clients' runs that failed or were inconclusive, in execution order.
    package private(set) var failures: [Failure] = []
    /// The total wall time of each case's runs; empty if the last suite tested another client.
    package private(set) var wall: [CaseKey: TimeSpan] = [:]
    /// The client whose failures and durations were requested.
    private let client: TestedClient

    /// The cases in which at least one of the client's runs failed or was inconclusive.
    package var failed: Set<CaseKey> { Set(failures.filter { $0.client == client }.map(\.key)) }

    /// The name of the file, in a report's folder, that lists the failures. Unlike `results.json`, it retains failures
    /// of cases that the last suite did not run, and it is not removed when a scenario file is invalid.
    static let fileName = "last-failed.json"

    package init() { client = TestedClient() }

    /// Reads the results in a report's folder.
    ///
    /// - Parameters:
    ///   - folder: The path of the report's folder.
    ///   - client: The client whose failures and durations are requested. The failures of other clients are also
    ///     retained, so that they can be written again.
    /// - Throws: ``SquallError`` if there are no results, or if a file is not a list of results.
    package init(report folder: String, of client: TestedClient = TestedClient()) throws(SquallError) {
        self.client = client
        let list = try Self.runs(in: "\(folder)/\(Self.fileName)")
        let path = "\(folder)/results.json"
        let results = try Self.runs(in: path)
        guard list != nil || results != nil else { throw .usage("there are no earlier results in '\(path)'") }
        for run in results ?? [] where run.failure.client == client {
            let nanoseconds = Int64(run.json["wall_ns"]?.intValue ?? 0)
            let earlier = wall[run.failure.key] ?? .zero
            wall[run.failure.key] = earlier + TimeSpan(nanoseconds: max(0, nanoseconds))
        }
        let bad = [CaseVerdict.fail, .inconclusive].map(\.rawValue)
        failures =
            list?.map(\.failure)
            ?? (results ?? []).filter { bad.contains($0.json["verdict"]?.stringValue ?? "") }.map(\.failure)
    }

    /// Returns the runs listed in a file; nil if the file does not exist.
    private static func runs(in path: String) throws(SquallError) -> [(failure: Failure, json: JSON)]? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        guard let json = try? JSON.decode(Array(data), limits: ReportFiles.limits),
            let runs = json["scenarios"]?.arrayValue
        else {
            throw .usage("'\(path)' is not a list of results")
        }
        let suite = json["run"].map(TestedClient.init(json:))
        return runs.compactMap { run in
            guard let file = run["file"]?.stringValue else { return nil }
            let key = CaseKey(file: file, variant: run["case"]?.stringValue)
            // In the list of failures, each run names its client. In `results.json`, the client is given once, for all
            // runs.
            let client = suite ?? TestedClient(json: run)
            return (Failure(key: key, world: run["world"]?.stringValue ?? "", client: client), run)
        }
    }

    /// Returns the failures whose cases still exist. If `scenarios` contains one case from a file, it must contain all
    /// of that file's cases.
    package func failures(among scenarios: [Scenario]) -> [Failure] {
        let files = Set(scenarios.map(\.file))
        let cases = Set(scenarios.map(\.caseKey))
        return failures.filter { failure in
            files.contains(failure.key.file)
                ? cases.contains(failure.key) : FileManager.default.fileExists(atPath: failure.key.file)
        }
    }

    /// Returns the text of the file that lists the failures: the failures of the latest suite, and all earlier failures
    /// except those of runs that the suite has repeated with the same client.
    static func list(after suite: SuiteResult, earlier: [Failure]) -> String {
        let runs = suite.runs.filter(\.wasPlayed)
        let client = suite.origin.map(TestedClient.init) ?? TestedClient()
        func failure(_ run: CaseResult) -> Failure {
            Failure(key: run.key, world: run.world.rawValue, client: client)
        }
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
                    var json: JSON = [
                        "file": .string(failure.key.file),
                        "case": failure.key.variant.map { .string($0) } ?? .null,
                        "world": .string(failure.world),
                    ]
                    for (name, value) in failure.client.members { json.set(name, to: value) }
                    return json
                }
            ),
        ]
        return String(decoding: json.encodePretty(), as: UTF8.self) + "\n"
    }
}

/// A machine-generated list of files, such as the files changed by a commit.
package enum FileList {
    /// Returns the YAML files in a newline-separated or NUL-terminated list of paths, divided into scenarios, files
    /// that no longer exist, and other YAML files.
    ///
    /// A list of changed files may contain all three kinds; a CI workflow is an example of the third.
    package static func scenarios(in text: String) -> (paths: [String], missing: [String], others: [String]) {
        let named = text.split { $0.isNewline || $0 == "\0" }.map(unquoted).filter { path in
            path.hasSuffix(".yaml") || path.hasSuffix(".yml")
        }
        let present = named.filter { FileManager.default.fileExists(atPath: $0) }
        let paths = present.filter(isScenario)
        return (paths, named.filter { !present.contains($0) }, present.filter { !paths.contains($0) })
    }

    /// Returns the path in a line printed by `git diff --name-only`. Git quotes a path as a C string if it contains
    /// special or non-ASCII characters.
    private static func unquoted(_ line: Substring) -> String {
        guard line.count > 1, line.first == "\"", line.last == "\"" else { return String(line) }
        let escapes: [UInt8: UInt8] = [
            UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9, UInt8(ascii: "n"): 10,
            UInt8(ascii: "v"): 11, UInt8(ascii: "f"): 12, UInt8(ascii: "r"): 13,
        ]
        var bytes: [UInt8] = []
        var rest = Array(line.dropFirst().dropLast().utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.first else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(3).prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
            if digits.count == 3, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8) {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(escapes[next] ?? next)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns whether a file has the key `squall`, which every scenario has. A file that cannot be read is treated as
    /// a scenario, so that the reason is reported when the file is loaded.
    private static func isScenario(_ path: String) -> Bool {
        guard let data = FileManager.default.contents(atPath: path) else { return true }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).contains { line in
            line.hasPrefix("squall:")
        }
    }

    /// Reads the list from a file, or from standard input if `path` is `-`.
    package static func read(_ path: String) throws(SquallError) -> String {
        guard let data = ScenarioFiles.contents(of: path) else { throw ScenarioFiles.unreadable(path) }
        return String(decoding: data, as: UTF8.self)
    }
}
