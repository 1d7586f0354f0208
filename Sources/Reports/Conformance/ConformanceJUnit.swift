package import Conformance
import SquallCore

/// Renders conformance results as JUnit XML. Each conformance case is a test case; cases without a verdict are reported
/// as skipped.
package enum ConformanceJUnit {
    package static func render(_ report: ConformanceReport) -> String {
        var cases = report.results.map { testCase($0, report) }
        cases += report.stale.map { entry in
            let owner = entry.agent.map { " of \($0)" } ?? ""
            let why =
                "line \(entry.line) of the known failures: \(entry.pattern)\(owner) did not fail; remove the entry"
            return JUnitDocument.TestCase(
                className: "conformance.known-failures",
                name: entry.pattern + owner,
                outcome: .failure(why)
            )
        }
        cases += report.skipped.map { skip in
            JUnitDocument.TestCase(
                className: "conformance.\(skip.id.category)",
                name: "\(skip.id)",
                outcome: .skipped(skip.why)
            )
        }
        if let interruption = report.interruption {
            cases.append(
                JUnitDocument.TestCase(className: "conformance", name: "the run", outcome: .error(interruption))
            )
        }
        return JUnitDocument(name: "squall conformance", cases: cases).render()
    }

    private static func testCase(_ result: ConformanceResult, _ report: ConformanceReport) -> JUnitDocument.TestCase {
        let testCase = report.cases[result.id]
        return JUnitDocument.TestCase(
            className: "conformance.\(result.agent).\(result.id.category)",
            name: "\(result.id) \(testCase?.title ?? "")",
            time: result.duration,
            outcome: outcome(of: result, sections: testCase?.sections ?? [], known: report.known.entry(for: result))
        )
    }

    private static func outcome(
        of result: ConformanceResult,
        sections: [String],
        known: KnownCaseFailures.Entry?
    ) -> JUnitDocument.TestCase.Outcome {
        switch result.behavior {
        case .ok, .nonStrict: return .passed
        case .failed:
            if let known { return .skipped("known: \(known.why)") }
            return .failure(result.why, text: "\(result.why)\n\(sections.joined(separator: ", "))")
        case .informational, .unimplemented:
            return .skipped("\(result.behavior.rawValue.lowercased()): \(result.why)")
        }
    }
}
