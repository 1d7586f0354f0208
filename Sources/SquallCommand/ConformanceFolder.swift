import Conformance
import ConformanceRunner
import Foundation
import Reports
import Squall
import SquallCore

/// A conformance report's folder, and functions that read the input files of a conformance run.
struct ConformanceFolder: Sendable {
    let path: String

    /// Creates the folder before any case is run.
    ///
    /// - Throws: ``SquallError`` if the folder is not writable.
    init(path: String) throws(SquallError) {
        self.path = path
        _ = try ReportFolder(path: path)
    }

    /// Writes the report's files; returns the errors for files that could not be written.
    func write(_ report: ConformanceReport) -> [SquallError] {
        var failures: [SquallError] = []
        func write(_ bytes: [UInt8], to name: String) {
            do throws(SquallError) {
                try WholeFile.write(bytes + [UInt8(ascii: "\n")], to: "\(path)/\(name)")
            } catch {
                failures.append(error)
            }
        }
        write(AutobahnJSON.index(report).encodePretty(), to: "index.json")
        write(Array(ConformancePage.render(report).utf8), to: "index.html")
        write(Array(ConformanceJUnit.render(report).utf8), to: "junit.xml")
        write(report.json.encodePretty(), to: "results.json")
        for result in report.results {
            write(AutobahnJSON.detail(result, report).encodePretty(), to: AutobahnJSON.fileName(result, report))
        }
        return failures
    }

    /// Reads a file of known failures. If `willBeUpdated` is true, the file is about to be rewritten, so reasons may be
    /// missing and the file need not exist.
    ///
    /// - Throws: ``SquallError`` if the file cannot be read or is invalid.
    static func knownFailures(at file: String, willBeUpdated: Bool) throws(SquallError) -> KnownCaseFailures {
        guard FileManager.default.fileExists(atPath: file) else {
            if willBeUpdated { return KnownCaseFailures() }
            throw .usage("there is no file '\(file)' of known failures; --fix writes one")
        }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw .usage("'\(file)' cannot be read: --known-failures needs a readable file")
        }
        return try knownFailures(in: String(decoding: data, as: UTF8.self), of: file, mayLackReasons: willBeUpdated)
    }

    /// Parses known failures. The list may contain cases that this run does not include, because several runs may share
    /// a file.
    static func knownFailures(
        in text: String,
        of file: String,
        mayLackReasons: Bool
    ) throws(SquallError) -> KnownCaseFailures {
        let cases = ConformanceCatalogue.cases().map(\.id) + ChatCatalogue.cases(ChatTarget()).map(\.summary.id)
        do throws(KnownCaseFailures.Problem) {
            return try KnownCaseFailures(parsing: text, cases: cases, mayLackReasons: mayLackReasons)
        } catch {
            throw .scenarios("\(file):\(error.line): \(error.message)")
        }
    }

    static func target(_ url: String) throws(SquallError) -> ServerTarget {
        do throws(ServerTarget.Problem) {
            return try ServerTarget(url)
        } catch {
            throw .usage(error.message)
        }
    }
}
