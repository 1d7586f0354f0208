import Conformance
import ConformanceRunner
import Foundation
import Foundations
import Squall

/// A folder of conformance results, and the files that a run of cases reads.
struct ConformanceFolder {
    private let path: String

    /// Makes the folder, before anything is played.
    init(path: String) throws(SquallError) {
        self.path = path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .failed(
                "the folder '\(path)' cannot be made (\(error.localizedDescription)); name another with --report"
            )
        }
        try ReportFolder.write("", to: "\(path)/index.json")
    }

    func write(_ report: ConformanceReport) throws(SquallError) {
        try write(AutobahnJSON.index(report).encodePretty(), to: "index.json")
        try write(Array(ConformancePage.render(report).utf8), to: "index.html")
        try write(Array(ConformanceJUnit.render(report).utf8), to: "junit.xml")
        try write(report.json.encodePretty(), to: "results.json")
        for result in report.results {
            try write(AutobahnJSON.detail(result, report).encodePretty(), to: AutobahnJSON.fileName(result))
        }
    }

    private func write(_ bytes: [UInt8], to name: String) throws(SquallError) {
        try ReportFolder.write(String(decoding: bytes, as: UTF8.self) + "\n", to: "\(path)/\(name)")
    }

    static func knownFailures(in file: String, cases: [CaseID]) throws(SquallError) -> KnownFailures {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw .usage("the file '\(file)' of known failures cannot be read")
        }
        do throws(KnownFailures.Problem) {
            return try KnownFailures(parsing: String(decoding: data, as: UTF8.self), cases: cases)
        } catch {
            throw .scenarios("\(file):\(error.line): \(error.message); 'squall conformance list' names all")
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
