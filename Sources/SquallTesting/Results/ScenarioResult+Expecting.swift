import ScenarioModel
import SquallCore
import Testing

extension ScenarioResult {
    /// Records an issue where the case did not pass: in a test of Swift Testing.
    ///
    /// A failure stands at the scenario's own file, line and column; one of a scenario in a string stands where that was read. An inconclusive
    /// case is an issue, too, for nothing was proven. A skipped one is a warning with the reason, which fails nothing (a known issue where the
    /// toolchain is older than 6.3). The trace of what failed is attached as `trace.jsonl`.
    ///
    /// - Returns: The same result, to look closer.
    @discardableResult
    public func expectPass() -> ScenarioResult {
        switch verdict {
        case .pass: break
        case .fail, .inconclusive:
            let headline = verdict == .fail ? title : "\(title): inconclusive, which is no pass"
            Attachment.record(trace.jsonLines, named: "trace.jsonl", sourceLocation: sourceLocation)
            Issue.record("\(headline)\n\(message)", sourceLocation: sourceLocation)
        case .skipped:
            #if compiler(>=6.3)
                Issue.record("\(title): skipped\n\(message)", severity: .warning, sourceLocation: sourceLocation)
            #else
                withKnownIssue("\(title): skipped") {
                    Issue.record("\(message)", sourceLocation: sourceLocation)
                }
            #endif
        }
        return self
    }

    /// The same by an error, for XCTest and for anybody who goes on only after a pass.
    ///
    /// - Throws: ``ScenarioFailure`` unless the case passed; also where it was skipped.
    public func requirePass() throws(ScenarioFailure) {
        guard verdict != .pass else { return }
        throw ScenarioFailure(self)
    }

    private var sourceLocation: Testing.SourceLocation {
        switch origin {
        case .code(let place):
            return Testing.SourceLocation(
                fileID: place.fileID,
                filePath: place.filePath,
                line: place.line,
                column: place.column
            )
        case .file(let path):
            let folders = path.split(separator: "/")
            // A test framework shows module and file.
            let shown = folders.suffix(2).joined(separator: "/")
            let place = cause?.location
            return Testing.SourceLocation(
                fileID: folders.count > 1 ? shown : "Scenarios/\(shown)",
                filePath: path,
                line: max(1, place?.line ?? 1),
                column: max(1, place?.column ?? 1)
            )
        }
    }
}

/// A case that did not pass.
public struct ScenarioFailure: Error, Sendable, CustomStringConvertible {
    public let result: ScenarioResult

    init(_ result: ScenarioResult) {
        self.result = result
    }

    /// Title, verdict and ``ScenarioResult/message``.
    public var description: String { "\(result.title): \(result.verdict.rawValue)\n\(result.message)" }
}
