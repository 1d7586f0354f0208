import SquallCore

/// Results as JUnit XML that GitLab, Jenkins and GitHub's actions read: a case is a test, what it does not judge is skipped.
package enum ConformanceJUnit {
    package static func render(_ report: ConformanceReport) -> String {
        let skipped = report.results.count { $0.behavior == .unimplemented || $0.behavior == .informational }
        let counts =
            "tests=\"\(report.results.count + report.stale.count + report.skipped.count + (report.isWhole ? 0 : 1))\" "
            + "failures=\"\(report.failures.count + report.stale.count)\" errors=\"\(report.isWhole ? 0 : 1)\" "
            + "skipped=\"\(skipped + report.knownFailures.count + report.skipped.count)\""
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"squall conformance\" \(counts)>\n"
        xml += " <testsuite name=\"squall conformance\" \(counts)>\n"
        for result in report.results { xml += test(result, report) }
        for entry in report.stale { xml += stale(entry) }
        for skip in report.skipped {
            xml += "  <testcase classname=\"conformance.\(skip.id.category)\" name=\"\(skip.id)\" time=\"0\">"
            xml += "<skipped message=\"\(ShownText(lines: skip.why).markup)\"/></testcase>\n"
        }
        if let interruption = report.interruption {
            xml += "  <testcase classname=\"conformance\" name=\"the run\" time=\"0\">"
            xml += "<error message=\"\(ShownText(lines: interruption).markup)\"/></testcase>\n"
        }
        return xml + " </testsuite>\n</testsuites>\n"
    }

    private static func test(_ result: ConformanceResult, _ report: ConformanceReport) -> String {
        func escaped(_ text: String) -> String { ShownText(lines: text).markup }
        let name = "\(result.id) \(report.cases[result.id]?.title ?? "")"
        var xml =
            "  <testcase classname=\"conformance.\(escaped(result.agent)).\(result.id.category)\" name=\"\(escaped(name))\" "
        xml += "time=\"\(Instant.zero + result.duration)\">"
        let known = report.known.entry(for: result)
        switch result.behavior {
        case .ok, .nonStrict: break
        case .failed where known == nil:
            let sections = report.cases[result.id]?.sections.joined(separator: ", ") ?? ""
            xml += "<failure message=\"\(escaped(result.why))\">\(escaped("\(result.why)\n\(sections)"))</failure>"
        case .failed: xml += "<skipped message=\"\(escaped("known: \(known?.why ?? "")"))\"/>"
        case .informational, .unimplemented:
            xml += "<skipped message=\"\(escaped("\(result.behavior.rawValue.lowercased()): \(result.why)"))\"/>"
        }
        return xml + "</testcase>\n"
    }

    /// A failure too: the list should get shorter.
    private static func stale(_ entry: KnownFailures.Entry) -> String {
        let whose = entry.agent.map { " of \($0)" } ?? ""
        let why = "line \(entry.line) of the known failures: \(entry.pattern)\(whose) did not fail; take it out"
        return
            "  <testcase classname=\"conformance.known-failures\" name=\"\(ShownText(lines: entry.pattern + whose).markup)\" time=\"0\">"
            + "<failure message=\"\(ShownText(lines: why).markup)\"/></testcase>\n"
    }
}
