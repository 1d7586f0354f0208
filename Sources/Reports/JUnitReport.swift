import Foundations
package import ScenarioModel
import TemporalLogic
import Trace

/// A suite as JUnit XML that GitLab, Jenkins and GitHub's actions all read.
///
/// The one-line cause stands in `message` and as the first line of the body, and the command that plays the run again as its last;
/// inconclusive is an `error`, and so is, as a
/// testcase of its own, that the suite was interrupted: what was not played is not there to fail.
package enum JUnitReport {
    package static func render(_ suite: SuiteResult) -> String {
        let runs = suite.runs
        let missing = suite.interruption == nil ? 0 : 1
        let stale = suite.staleKnownFailures
        let counts =
            "tests=\"\(runs.count + missing + stale.count)\" failures=\"\(suite.count(.fail) + stale.count)\" "
            + "errors=\"\(suite.count(.inconclusive) + missing)\" "
            + "skipped=\"\(suite.count(.skipped) + suite.count(.knownFailure))\" time=\"\(seconds(suite.wall))\""
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"squall\" \(counts)>\n"
        xml += " <testsuite name=\"squall\" \(counts)>\n"
        for run in runs { xml += testcase(run) }
        for part in stale {
            let why = escaped("\(part.location): \(part.why ?? part.word)")
            xml +=
                "  <testcase classname=\"\(escaped(part.location.file))\" name=\"known failure, line \(part.location.line)\" "
            xml +=
                "file=\"\(escaped(part.location.file))\" line=\"\(part.location.line)\" time=\"\(seconds(.zero))\">\n"
            xml += "   <failure message=\"\(why)\">\(why)</failure>\n  </testcase>\n"
        }
        if let interruption = suite.interruption {
            xml += "  <testcase classname=\"squall\" name=\"the whole suite is played\" time=\"\(seconds(.zero))\">\n"
            xml += "   <error message=\"\(escaped(interruption))\">\(escaped(interruption))</error>\n  </testcase>\n"
        }
        return xml + " </testsuite>\n</testsuites>\n"
    }

    /// A suite of which nothing was played, since its files are wrong: one testcase, an `error` that tells every mistake.
    package static func render(mistakes: String) -> String {
        let counts = "tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"\(seconds(.zero))\""
        let first = mistakes.prefix { $0 != "\n" }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="squall" \(counts)>
             <testsuite name="squall" \(counts)>
              <testcase classname="squall" name="the scenario files can be read" time="\(seconds(.zero))">
               <error message="\(escaped(String(first)))">\(escaped(mistakes))</error>
              </testcase>
             </testsuite>
            </testsuites>

            """
    }

    private static func testcase(_ run: CaseResult) -> String {
        let classname = run.file.split(separator: "/").joined(separator: ".")
        let name = "\(run.title) [\(run.world.rawValue), seed \(run.seed.value)]"
        var xml =
            "  <testcase classname=\"\(escaped(classname))\" name=\"\(escaped(name))\" file=\"\(escaped(run.file))\" "
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
        let body = escaped(([message] + lines + replay).joined(separator: "\n"))
        return "   <\(element) message=\"\(escaped(message))\">\(body)</\(element)>\n"
    }

    private static func seconds(_ span: TimeSpan) -> String {
        (Instant.zero + span).description
    }

    /// Text for XML 1.0, without the characters that it cannot hold.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case "\u{0}"..<"\u{20}", "\u{7F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
