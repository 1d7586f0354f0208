import Foundation
import Foundations
import Reports
package import ScenarioModel
import Trace

/// A folder of results: `index.html`, `results.json`, `junit.xml`, and a folder a run with its `trace.jsonl`.
package struct ReportFolder: Sendable {
    private let path: String

    /// Makes the folder, and sees that it can be written to, before anything is played.
    package init(path: String) throws(SquallError) {
        self.path = path
        try Self.makeFolder(path)
        try Self.check("\(path)/.squall")
    }

    /// Sees that a file can be written before the work whose result it is to hold; what is there already stays.
    package static func check(_ path: String) throws(SquallError) {
        guard !FileManager.default.fileExists(atPath: path) else {
            guard !FileManager.default.isWritableFile(atPath: path) else { return }
            throw .failed("'\(path)' cannot be written: it is write-protected")
        }
        try write("", to: path)
        try? FileManager.default.removeItem(atPath: path)
    }

    package func write(_ suite: SuiteResult) throws(SquallError) {
        try Self.write(
            String(decoding: ResultsJSON.render(suite).encodePretty(), as: UTF8.self) + "\n",
            to: "\(path)/results.json"
        )
        try Self.write(JUnitReport.render(suite), to: "\(path)/junit.xml")
        var sources: [String: String] = [:]
        for file in Set(suite.runs.map(\.file)) {
            sources[file] = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }
        }
        let page = HTMLReport.render(suite, sources: sources) { "\(Self.folderName(of: $0))/trace.jsonl" }
        try Self.write(page, to: "\(path)/index.html")
        for run in suite.runs {
            let folder = "\(path)/\(Self.folderName(of: run))"
            try Self.makeFolder(folder)
            try Self.write(bytes: TraceCodec.encode(run.recording), to: "\(folder)/trace.jsonl")
        }
    }

    /// `sending/dropped-between-send-and-confirm.sim`, with the case's and the seed's names where there are several.
    package static func folderName(of run: CaseResult) -> String {
        var name = run.file
        for ending in [".yaml", ".yml"] where name.hasSuffix(ending) { name.removeLast(ending.count) }
        if let variant = run.variant { name += ".\(variant)" }
        let plain = name.split(separator: "/").filter { $0 != ".." && $0 != "." }.map { part in
            String(part.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" })
        }
        return "\(plain.joined(separator: "/")).seed\(run.seed.value).\(run.world.rawValue)"
    }

    private static func makeFolder(_ path: String) throws(SquallError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .failed(
                "the folder '\(path)' cannot be made (\(systemReason(error))); name another with --report"
            )
        }
    }

    package static func write(_ text: String, to path: String) throws(SquallError) {
        try write(bytes: Array(text.utf8), to: path)
    }

    private static func write(bytes: [UInt8], to path: String) throws(SquallError) {
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        } catch {
            throw .failed("'\(path)' cannot be written: \(systemReason(error))")
        }
    }
}

/// Why the system refused, in its own words.
func systemReason(_ error: any Error) -> String {
    guard let posix = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError else {
        return error.localizedDescription
    }
    return String(cString: strerror(posix.code.rawValue)).lowercased()
}
