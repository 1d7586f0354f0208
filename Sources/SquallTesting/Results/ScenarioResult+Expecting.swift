import ScenarioModel
import SquallCore
public import Testing

extension ScenarioResult {
    /// Records an issue if the case did not pass, in a test of Swift Testing.
    ///
    /// A failure is reported at the scenario's own file, line and column, or where a string of YAML was read. An
    /// inconclusive case is an issue too, because nothing was proven. A skipped one is a warning with the reason, which
    /// fails nothing (a known issue with toolchains older than 6.3). The trace of a failure is attached as
    /// `trace.jsonl`.
    ///
    /// - Parameter sourceLocation: Where issues are reported instead; nil for the scenario's own line.
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

    /// Throws unless the case passed, for XCTest and for tests that go on only after a pass.
    ///
    /// - Throws: ``ScenarioFailure`` unless the case passed, also if it was skipped.
    public func requirePass() throws(ScenarioFailure) {
        guard verdict != .pass else { return }
        throw ScenarioFailure(self)
    }

    private var ownLocation: Testing.SourceLocation {
        switch origin {
        case .code(let place): return place
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
    /// The result with everything that was judged.
    public let result: ScenarioResult

    init(_ result: ScenarioResult) {
        self.result = result
    }

    /// Title, verdict and ``ScenarioResult/message``.
    public var description: String { "\(result.title): \(result.verdict.rawValue)\n\(result.message)" }
}
