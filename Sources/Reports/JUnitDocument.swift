import SquallCore

/// A JUnit XML file with suites of test cases, in a form that GitLab, Jenkins and GitHub Actions can all read.
struct JUnitDocument {
    struct TestCase {
        enum Outcome {
            case passed
            /// The test case failed; `text` is the content of the XML element, or nil if there are no details. The
            /// associated values of the other cases have the same meaning.
            case failure(String, text: String? = nil)
            case error(String, text: String? = nil)
            case skipped(String, text: String? = nil)
            /// The test case passed only when it was repeated. It is rendered as Surefire's `flakyFailure`, which CI
            /// servers display within a passed test.
            case flaky(String, text: String? = nil)
        }

        var className: String
        var name: String
        var location: (file: String, line: Int)?
        var time = TimeSpan.zero
        var properties: [(name: String, value: String)] = []
        var outcome = Outcome.passed
        /// The path of a file that GitLab and Jenkins display with the test case.
        var attachment: String?
    }

    /// A `testsuite` element.
    struct Suite {
        var name: String
        /// The duration of the suite; nil if it is unknown.
        var time: TimeSpan?
        /// The time at which the suite was started, in ISO 8601 without a time zone; nil if it is unknown.
        var timestamp: String?
        /// The name of the machine that ran the suite; nil if it is unknown.
        var host: String?
        var cases: [TestCase]
    }

    var name: String
    /// The total duration of all suites; nil if it is unknown.
    var time: TimeSpan?
    var suites: [Suite]

    /// Creates a document with one suite.
    init(name: String, time: TimeSpan? = nil, cases: [TestCase]) {
        self.init(name: name, time: time, suites: [Suite(name: name, time: time, cases: cases)])
    }

    init(name: String, time: TimeSpan?, suites: [Suite]) {
        self.name = name
        self.time = time
        self.suites = suites
    }

    func render() -> String {
        let attributes = Self.attributes(name, suites.flatMap(\.cases), time)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites \(attributes)>
            \(suites.map(Self.render).joined())</testsuites>

            """
    }

    private static func render(_ suite: Suite) -> String {
        var attributes = attributes(suite.name, suite.cases, suite.time)
        if let timestamp = suite.timestamp { attributes += " timestamp=\"\(line(timestamp))\"" }
        if let host = suite.host { attributes += " hostname=\"\(line(host))\"" }
        return " <testsuite \(attributes)>\n\(suite.cases.map(render).joined()) </testsuite>\n"
    }

    private static func attributes(_ name: String, _ cases: [TestCase], _ time: TimeSpan?) -> String {
        var (failures, errors, skipped) = (0, 0, 0)
        for testCase in cases {
            switch testCase.outcome {
            case .passed, .flaky: break
            case .failure: failures += 1
            case .error: errors += 1
            case .skipped: skipped += 1
            }
        }
        var attributes = "name=\"\(line(name))\" tests=\"\(cases.count)\" failures=\"\(failures)\" "
        attributes += "errors=\"\(errors)\" skipped=\"\(skipped)\""
        if let time { attributes += " time=\"\(seconds(time))\"" }
        return attributes
    }

    private static func render(_ testCase: TestCase) -> String {
        var xml = "  <testcase classname=\"\(line(testCase.className))\" name=\"\(line(testCase.name))\" "
        if let location = testCase.location { xml += "file=\"\(line(location.file))\" line=\"\(location.line)\" " }
        xml += "time=\"\(seconds(testCase.time))\">\n"
        if !testCase.properties.isEmpty {
            let properties = testCase.properties.map { name, value in
                "<property name=\"\(name)\" value=\"\(line(value))\"/>"
            }
            xml += "   <properties>\(properties.joined())</properties>\n"
        }
        switch testCase.outcome {
        case .passed: break
        case .failure(let message, let text): xml += element("failure", message, text)
        case .error(let message, let text): xml += element("error", message, text)
        case .skipped(let message, let text): xml += element("skipped", message, text)
        case .flaky(let message, let text): xml += element("flakyFailure", message, text)
        }
        if let path = testCase.attachment { xml += "   <system-out>[[ATTACHMENT|\(line(path))]]</system-out>\n" }
        return xml + "  </testcase>\n"
    }

    private static func element(_ name: String, _ message: String, _ text: String?) -> String {
        let start = "   <\(name) message=\"\(line(message))\""
        guard let text else { return start + "/>\n" }
        return start + ">\(SanitizedText(lines: text).markup)</\(name)>\n"
    }

    private static func line(_ text: String) -> String { SanitizedText(text).markup }

    private static func seconds(_ span: TimeSpan) -> String { (Instant.zero + span).description }
}
