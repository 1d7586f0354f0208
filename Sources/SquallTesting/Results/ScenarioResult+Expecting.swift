import ScenarioModel
import SquallCore
public import Testing

extension ScenarioResult {
    /// In a Swift Testing test, records an issue if the case did not pass.
    ///
    /// A failure is reported at the scenario's own file, line and column. If the scenario is a string, the failure is
    /// reported at the call that read the string. An inconclusive case is an issue too, because it proves nothing. A
    /// skipped case is a warning with the reason, which does not fail the test (with toolchains older than 6.3, it is a
    /// known issue instead). The trace of a failed or inconclusive case is attached as `trace.jsonl`.
    ///
    /// - Parameter sourceLocation: The location at which issues are reported; nil for the scenario's own.
    /// - Returns: The same result.
    @discardableResult
    public func expectPass(sourceLocation: Testing.SourceLocation? = nil) -> ScenarioResult {
        let sourceLocation = sourceLocation ?? ownLocation
        switch verdict {
        case .pass: break
        case .fail, .inconclusive:
            let headline = verdict == .fail ? title : "\(title): inconclusive, which does not count as a pass"
            Attachment.record(trace.jsonLines, named: "trace.jsonl", sourceLocation: sourceLocation)
            Issue.record("\(headline)\n\(message)", sourceLocation: sourceLocation)
        case .skipped:
            warn("skipped", sourceLocation: sourceLocation)
        }
        return self
    }

    /// Records a warning, which does not fail the test; with toolchains older than 6.3, a known issue instead.
    ///
    /// - Parameter sourceLocation: The location at which the warning is reported; nil for the scenario's own.
    func warn(_ verdict: String, sourceLocation: Testing.SourceLocation?) {
        let sourceLocation = sourceLocation ?? ownLocation
        #if compiler(>=6.3)
            Issue.record("\(title): \(verdict)\n\(message)", severity: .warning, sourceLocation: sourceLocation)
        #else
            withKnownIssue("\(title): \(verdict)") {
                Issue.record("\(message)", sourceLocation: sourceLocation)
            }
        #endif
    }

    /// Throws an error unless the case passed. Intended for XCTest, and for tests that must not continue after a
    /// failure.
    ///
    /// - Throws: ``ScenarioFailure`` if the case failed, was inconclusive or was skipped.
    public func requirePass() throws(ScenarioFailure) {
        guard verdict != .pass else { return }
        throw ScenarioFailure(self)
    }

    private var ownLocation: Testing.SourceLocation {
        switch origin {
        case .code(let place): return place
        case .file(let path):
            let folders = path.split(separator: "/")
            // Test frameworks display the last two components of a path, which are usually the module and the file.
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

/// The error for a case that did not pass.
public struct ScenarioFailure: Error, Sendable, CustomStringConvertible {
    /// The result of the case.
    public let result: ScenarioResult

    init(_ result: ScenarioResult) {
        self.result = result
    }

    /// The case's title, its verdict and ``ScenarioResult/message``.
    public var description: String { "\(result.title): \(result.verdict.rawValue)\n\(result.message)" }
}
