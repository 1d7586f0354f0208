package import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// Renders a suite of scenarios as JUnit XML.
///
/// The message of a failed run is its cause in one line. The element's text begins with the cause and its location, and
/// ends with the command that replays the run. An inconclusive run is an `error`. Problems that are not about a single
/// run are separate test cases: an `error` for each case whose simulated and live runs differ, and an `error` for an
/// interrupted suite, whose missing runs would otherwise look like success.
package enum JUnitReport {
    /// Renders the suite. A test case has the same name for every seed, so that CI servers can track its history; if
    /// there are several seeds, the runs are numbered. Each scenario file is a separate `testsuite`.
    ///
    /// - Parameter attachment: A closure that returns the path of a run's trace, for servers that support
    ///   `[[ATTACHMENT|…]]`, or nil if there is no trace.
    package static func render(_ suite: SuiteResult, attachment: (CaseResult) -> String? = { _ in nil }) -> String {
        var cases: [JUnitDocument.TestCase] = []
        var differing: [JUnitDocument.TestCase] = []
        for group in suite.groups {
            for (index, report) in group.reports.enumerated() {
                let play = group.reports.count > 1 ? ", \(index + 1) of \(group.reports.count)" : ""
                cases += report.runs.map { testCase($0, play: play, attachment: attachment($0)) }
                guard case .differs(let how)? = report.parity, let run = report.runs.first else { continue }
                let text = "\(SuiteResult.whyWorldsDiffer)\n\(how)"
                differing.append(
                    JUnitDocument.TestCase(
                        className: className(of: run),
                        name: "\(run.title) [both worlds\(play)]",
                        location: (run.file, 1),
                        outcome: .error(firstLine(of: text), text: text)
                    )
                )
            }
        }
        cases += differing
        cases += suite.staleKnownFailures.map { part in
            let why = "\(part.location): \(part.why ?? part.word)"
            return JUnitDocument.TestCase(
                className: part.location.file,
                name: "known failure, line \(part.location.line)",
                location: (part.location.file, part.location.line),
                outcome: .failure(why, text: why)
            )
        }
        if let shortfall = suite.stopDescription {
            cases.append(
                JUnitDocument.TestCase(
                    className: "squall",
                    name: "the whole suite is played",
                    outcome: suite.stopReason == .signal
                        ? .error(shortfall, text: shortfall) : .skipped(shortfall, text: shortfall)
                )
            )
        }
        return JUnitDocument(name: "squall", time: suite.wall, suites: suites(of: cases, suite.origin)).render()
    }

    /// Returns a `testsuite` for each scenario file, in file order, and one for the test cases that do not belong to a
    /// file.
    private static func suites(of cases: [JUnitDocument.TestCase], _ origin: SuiteOrigin?) -> [JUnitDocument.Suite] {
        var names: [String] = []
        var members: [String: [JUnitDocument.TestCase]] = [:]
        for testCase in cases {
            let name = testCase.location?.file ?? "squall"
            if members[name] == nil { names.append(name) }
            members[name, default: []].append(testCase)
        }
        return names.map { name in
            let cases = members[name] ?? []
            return JUnitDocument.Suite(
                name: name,
                time: cases.reduce(TimeSpan.zero) { $0 + $1.time },
                // The format's XML schema does not allow a time zone.
                timestamp: origin.map { String($0.date.prefix { $0 != "Z" }) },
                host: origin?.host,
                cases: cases
            )
        }
    }

    /// Renders a suite that was not run: it has one test case, whose `error` contains all error messages.
    package static func render(_ suite: UnplayedSuite) -> String {
        let only = JUnitDocument.TestCase(
            className: "squall",
            name: suite.testName,
            outcome: .error(firstLine(of: suite.message), text: suite.message)
        )
        return JUnitDocument(name: "squall", time: .zero, cases: [only]).render()
    }

    private static func firstLine(of text: String) -> String { String(text.prefix { !$0.isNewline }) }

    private static func className(of run: CaseResult) -> String {
        run.file.split(separator: "/").joined(separator: ".")
    }

    private static func testCase(_ run: CaseResult, play: String, attachment: String?) -> JUnitDocument.TestCase {
        var properties = [(name: "seed", value: "\(run.seed.value)")]
        if run.client != "reference" { properties.append(("client", run.client)) }
        for defect in run.recording.header.defects { properties.append(("defect", defect)) }
        if run.skippedCount > 0 { properties.append(("skipped_parts", "\(run.skippedCount)")) }
        properties.append(("digest", run.digest))
        return JUnitDocument.TestCase(
            className: className(of: run),
            name: "\(run.title) [\(run.world.rawValue)\(play)]",
            location: (run.file, run.cause?.location.line ?? 1),
            time: run.wall,
            properties: properties,
            outcome: outcome(of: run),
            attachment: run.verdict == .pass || run.verdict == .skipped ? nil : attachment
        )
    }

    private static func outcome(of run: CaseResult) -> JUnitDocument.TestCase.Outcome {
        if run.verdict == .pass { return .passed }
        let cause = CauseLine(of: run)
        let isBad = [.fail, .inconclusive, .flaky].contains(run.verdict)
        let lines = run.expectations.indices.compactMap { index -> String? in
            let part = run.expectations[index]
            guard part.verdict != .pass, index != cause?.expectation else { return nil }
            // A skipped part is not a violation; the property `skipped_parts` contains the number of skipped parts.
            guard !isBad || part.verdict != .skipped else { return nil }
            let mark = cause?.followers.contains(index) == true ? "  (of the same cause)" : ""
            return "\(part.location): \(part.heading): \(part.why ?? part.verdict.rawValue)\(mark)"
        }
        let message = cause?.sentence ?? lines.first ?? run.verdict.rawValue
        // A skipped run has no replay command, because a replay would only skip it again.
        let replay = isBad ? ["replay: \(ReplayCommand.of(run, command: "squall run"))"] : []
        let seen = cause.flatMap { run.expectations[$0.expectation].observedText }
        let first = (cause.map { [$0.located(in: run)] } ?? []) + (seen.map { [$0] } ?? [])
        let text = (first + lines + replay).joined(separator: "\n")
        return switch run.verdict {
        case .pass: .passed
        case .fail: .failure(message, text: text)
        case .inconclusive: .error(message, text: text)
        case .skipped, .knownFailure: .skipped(message, text: text)
        case .flaky: .flaky(message, text: text)
        }
    }
}
