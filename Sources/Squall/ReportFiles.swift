import Foundation
import Reports
import ScenarioModel
import SquallCore
import Trace

/// Reads the results and the traces in a report's folder.
enum ReportFiles {
    /// The size limit for a list of results: suites with many thousands of runs exceed the usual limit for external
    /// JSON.
    static let limits = JSONLimits(size: 1 << 30)

    /// Creates a reader of the results in a report's folder, without the traces.
    static func reader(_ folder: String) throws(SquallError) -> ResultsReader {
        try reader(file: "\(folder)/results.json")
    }

    /// Creates a reader of the results in a file.
    static func reader(file path: String) throws(SquallError) -> ResultsReader {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .scenarios(
                "squall: '\(path)' cannot be read; give the folders that 'squall run --report' has written"
            )
        }
        let json: JSON
        do {
            json = try JSON.decode(Array(data), limits: Self.limits)
        } catch {
            throw .scenarios("squall: '\(path)' is not a list of results: \(error)")
        }
        do {
            return try ResultsReader(json)
        } catch {
            throw .scenarios("squall: '\(path)' is not a list of results of this version")
        }
    }

    /// Returns a report's suite, with its traces and packet captures.
    ///
    /// - Throws: ``SquallError`` if a value, or the trace of a run that did not pass, is missing or invalid.
    static func suite(_ reader: ResultsReader, in folder: String) throws(SquallError) -> SuiteResult {
        try suite(reader, named: "\(folder)/results.json") { (run: inout CaseResult) throws(SquallError) in
            guard run.wasPlayed else { return }
            let path = "\(folder)/\(RunFolder.name(of: run))"
            guard let recording = try trace(in: path) else {
                guard run.verdict != .pass else { return }
                throw .scenarios(
                    "squall: '\(path)/trace.jsonl' is missing: the run did not pass, so the report needs it"
                )
            }
            run.add(recording)
            if run.capture != nil {
                run.capture?.bytes =
                    FileManager.default.contents(atPath: "\(path)/\(RunCapture.name)").map(Array.init) ?? []
            }
        }
    }

    /// Returns the suite described by a list of results; `complete` adds to each run the data that the list does not
    /// contain.
    static func suite(
        _ reader: ResultsReader,
        named path: String,
        completing complete: (inout CaseResult) throws(SquallError) -> Void = { _ in }
    ) throws(SquallError) -> SuiteResult {
        do {
            return try reader.suite(completing: complete)
        } catch let error as ResultsReader.Malformed {
            throw .scenarios("squall: '\(path)': '\(error.field)' is missing or invalid")
        } catch let error as SquallError {
            throw error
        } catch {
            throw .failed("\(error)")
        }
    }

    /// Reads the trace in a run's folder; returns nil if there is none.
    ///
    /// - Throws: ``SquallError`` if the file is not a trace.
    static func trace(in folder: String) throws(SquallError) -> Recording? {
        let path = "\(folder)/trace.jsonl"
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        do {
            return try TraceCodec.decode(Array(data))
        } catch {
            throw .scenarios("squall: '\(path)' is not a trace: \(error)")
        }
    }
}
