import ScenarioModel
import Squall
import SquallCore

/// Writes reports in the same form as `squall run --report`.
public enum ScenarioReport {
    /// Writes `index.html`, `results.json`, `junit.xml` and a folder for each run with its `trace.jsonl`. Creates the
    /// folder if it is missing, and replaces existing files with these names.
    ///
    /// - Parameters:
    ///   - results: The results of any scenarios and clients.
    ///   - folder: The folder's path, absolute or relative to the working directory.
    /// - Throws: ``SquallTestingError`` if a file cannot be written; the other files are still written.
    public static func write(_ results: [ScenarioResult], to folder: String) throws(SquallTestingError) {
        let wall = results.reduce(TimeSpan.zero) { $0 + $1.run.wall }
        let suite = SuiteResult(cases: results.map { CaseReport(runs: [$0.run]) }, wall: wall)
        do throws(SquallError) {
            let failures = try ReportFolder(path: folder).write(suite)
            if let first = failures.first { throw first }
        } catch {
            throw SquallTestingError(error)
        }
    }
}
