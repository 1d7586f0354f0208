import ScenarioModel
import Squall
import SquallCore

/// The folder that `squall run --report` writes.
public enum ScenarioReport {
    /// Writes `index.html`, `results.json`, `junit.xml` and a folder a run with its `trace.jsonl`; the folder is made where it is missing,
    /// and what is there by the same names is replaced.
    ///
    /// - Parameters:
    ///   - results: What was played, of whichever scenarios and clients.
    ///   - folder: Absolute, or seen from the working directory.
    /// - Throws: ``SquallTestingError`` where something cannot be written; what can be is.
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
