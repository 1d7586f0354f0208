package import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// Renders a suite of scenarios as JUnit XML.
///
/// The message of a failed run is its one-line cause. The element's text begins with the same line and ends with the
/// command that replays the run. An inconclusive run is an `error`. Findings about no single run are test cases of
/// their own: an `error` for each case whose two worlds differ, and one for an interrupted suite, whose missing runs
/// would otherwise look like success.
package enum JUnitReport {
    package static func render(_ suite: SuiteResult) -> String {
        var cases = suite.runs.map(testCase)
        cases += suite.differing.map { run, how in
            JUnitDocument.TestCase(
                className: className(of: run),
                name: "\(run.title) [both worlds, seed \(run.seed.value)]",
                location: (run.file, 1),
                outcome: .error(firstLine(of: how), text: how)
            )
        }
        cases += suite.staleKnownFailures.map { part in
            let why = "\(part.location): \(part.why ?? part.word)"
            return JUnitDocument.TestCase(
                className: part.location.file,
                name: "known failure, line \(part.location.line)",
                location: (part.location.file, part.location.line),
                outcome: .failure(why, text: why)
            )
        }
        if let shortfall = suite.shortfall {
            cases.append(
                JUnitDocument.TestCase(
                    className: "squall",
                    name: "the whole suite is played",
                    outcome: suite.brokenOffBy == .signal
                        ? .error(shortfall, text: shortfall) : .skipped(shortfall, text: shortfall)
                )
            )
        }
        return JUnitDocument(name: "squall", time: suite.wall, cases: cases).render()
    }

    /// Renders a suite that was not played because its files are invalid: one test case, whose `error` holds all
    /// mistakes.
    package static func render(mistakes: String) -> String {
        let unreadable = JUnitDocument.TestCase(
            className: "squall",
            name: "the scenario files can be read",
            outcome: .error(firstLine(of: mistakes), text: mistakes)
        )
        return JUnitDocument(name: "squall", time: .zero, cases: [unreadable]).render()
    }

    private static func firstLine(of text: String) -> String { String(text.prefix { !$0.isNewline }) }

    private static func className(of run: CaseResult) -> String {
        run.file.split(separator: "/").joined(separator: ".")
    }

    private static func testCase(_ run: CaseResult) -> JUnitDocument.TestCase {
        var properties = [(name: "seed", value: "\(run.seed.value)")]
        if run.client != "reference" { properties.append(("client", run.client)) }
        for defect in run.recording.header.defects { properties.append(("defect", defect)) }
        if run.skippedCount > 0 { properties.append(("skipped_parts", "\(run.skippedCount)")) }
        properties.append(("digest", run.digest))
        return JUnitDocument.TestCase(
            className: className(of: run),
            name: "\(run.title) [\(run.world.rawValue), seed \(run.seed.value)]",
            location: (run.file, run.cause?.location.line ?? 1),
            time: run.wall,
            properties: properties,
            outcome: outcome(of: run)
        )
    }

    private static func outcome(of run: CaseResult) -> JUnitDocument.TestCase.Outcome {
        if run.verdict == .pass { return .passed }
        let bad = run.expectations.filter { $0.verdict != .pass }
        let lines = bad.map { "\($0.location): \($0.heading): \($0.why ?? $0.verdict.rawValue)" }
        let message = CauseLine(of: run)?.sentence ?? lines.first ?? run.verdict.rawValue
        // Replaying a skipped run would only skip it again.
        let isBad = run.verdict == .fail || run.verdict == .inconclusive
        let replay = isBad ? ["replay: \(ReplayCommand.of(run, command: "squall run"))"] : []
        let text = ([message] + lines + replay).joined(separator: "\n")
        return switch run.verdict {
        case .pass: .passed
        case .fail: .failure(message, text: text)
        case .inconclusive: .error(message, text: text)
        case .skipped, .knownFailure: .skipped(message, text: text)
        }
    }
}
