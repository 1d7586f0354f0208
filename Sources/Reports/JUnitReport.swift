package import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// A suite as JUnit XML that GitLab, Jenkins and GitHub's actions all read.
///
/// The one-line cause stands in `message` and as the first line of the body, and the command that plays the run again as its last;
/// inconclusive is an `error`. What is no run's own is a testcase of its own: an `error` for each case of which the worlds differ, and for a
/// suite that was interrupted, since what was not played is not there to fail.
package enum JUnitReport {
    package static func render(_ suite: SuiteResult) -> String {
        let runs = suite.runs
        let differing = suite.differing
        let stale = suite.staleKnownFailures
        let missing = suite.brokenOffBy == .signal ? 1 : 0
        let unwanted = suite.brokenOffBy == .failure ? 1 : 0
        let counts =
            "tests=\"\(runs.count + differing.count + stale.count + missing + unwanted)\" failures=\"\(suite.count(.fail) + stale.count)\" "
            + "errors=\"\(suite.count(.inconclusive) + differing.count + missing)\" "
            + "skipped=\"\(suite.count(.skipped) + suite.count(.knownFailure) + unwanted)\" time=\"\(seconds(suite.wall))\""
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"squall\" \(counts)>\n"
        xml += " <testsuite name=\"squall\" \(counts)>\n"
        for run in runs { xml += testcase(run) }
        for (run, how) in differing {
            let first = how.prefix { !$0.isNewline }
            xml += "  <testcase classname=\"\(classname(of: run))\" "
            xml += "name=\"\(escaped("\(run.title) [both worlds, seed \(run.seed.value)]"))\" "
            xml += "file=\"\(escaped(run.file))\" line=\"1\" time=\"\(seconds(.zero))\">\n"
            xml += "   <error message=\"\(escaped(String(first)))\">\(escaped(lines: how))</error>\n  </testcase>\n"
        }
        for part in stale {
            let why = escaped("\(part.location): \(part.why ?? part.word)")
            xml +=
                "  <testcase classname=\"\(escaped(part.location.file))\" name=\"known failure, line \(part.location.line)\" "
            xml +=
                "file=\"\(escaped(part.location.file))\" line=\"\(part.location.line)\" time=\"\(seconds(.zero))\">\n"
            xml += "   <failure message=\"\(why)\">\(why)</failure>\n  </testcase>\n"
        }
        if let shortfall = suite.shortfall.map({ escaped($0) }) {
            let element = missing > 0 ? "error" : "skipped"
            xml += "  <testcase classname=\"squall\" name=\"the whole suite is played\" time=\"\(seconds(.zero))\">\n"
            xml += "   <\(element) message=\"\(shortfall)\">\(shortfall)</\(element)>\n  </testcase>\n"
        }
        return xml + " </testsuite>\n</testsuites>\n"
    }

    /// A suite of which nothing was played, since its files are wrong: one testcase, an `error` that tells every mistake.
    package static func render(mistakes: String) -> String {
        let counts = "tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"\(seconds(.zero))\""
        let first = mistakes.prefix { !$0.isNewline }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="squall" \(counts)>
             <testsuite name="squall" \(counts)>
              <testcase classname="squall" name="the scenario files can be read" time="\(seconds(.zero))">
               <error message="\(escaped(String(first)))">\(escaped(lines: mistakes))</error>
              </testcase>
             </testsuite>
            </testsuites>

            """
    }

    private static func classname(of run: CaseResult) -> String {
        escaped(run.file.split(separator: "/").joined(separator: "."))
    }

    private static func testcase(_ run: CaseResult) -> String {
        let name = "\(run.title) [\(run.world.rawValue), seed \(run.seed.value)]"
        var xml =
            "  <testcase classname=\"\(classname(of: run))\" name=\"\(escaped(name))\" file=\"\(escaped(run.file))\" "
        xml += "line=\"\(run.cause?.location.line ?? 1)\" time=\"\(seconds(run.wall))\">\n"
        xml += "   <properties><property name=\"seed\" value=\"\(run.seed.value)\"/>"
        if run.client != "reference" { xml += "<property name=\"client\" value=\"\(escaped(run.client))\"/>" }
        for defect in run.recording.header.defects {
            xml += "<property name=\"defect\" value=\"\(escaped(defect))\"/>"
        }
        if run.skippedCount > 0 { xml += "<property name=\"skipped_parts\" value=\"\(run.skippedCount)\"/>" }
        xml += "<property name=\"digest\" value=\"\(escaped(run.digest))\"/></properties>\n"
        switch run.verdict {
        case .pass: break
        case .fail: xml += outcome("failure", run)
        case .inconclusive: xml += outcome("error", run)
        case .skipped, .knownFailure: xml += outcome("skipped", run)
        }
        return xml + "  </testcase>\n"
    }

    private static func outcome(_ element: String, _ run: CaseResult) -> String {
        let bad = run.expectations.filter { $0.verdict != .pass }
        let lines = bad.map { "\($0.location): \($0.heading): \($0.why ?? $0.verdict.rawValue)" }
        let message = CauseLine(of: run)?.sentence ?? lines.first ?? run.verdict.rawValue
        // What was only left out is the same again.
        let isBad = run.verdict == .fail || run.verdict == .inconclusive
        let replay = isBad ? ["replay: \(ReplayCommand.of(run, command: "squall run"))"] : []
        let body = escaped(lines: ([message] + lines + replay).joined(separator: "\n"))
        return "   <\(element) message=\"\(escaped(message))\">\(body)</\(element)>\n"
    }

    private static func seconds(_ span: TimeSpan) -> String {
        (Instant.zero + span).description
    }

    private static func escaped(_ text: String) -> String { ShownText(text).markup }

    private static func escaped(lines text: String) -> String { ShownText(lines: text).markup }
}
