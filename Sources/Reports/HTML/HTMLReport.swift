package import ScenarioModel
import SquallCore

/// A suite as one page that needs nothing else: no server, no network, no fonts.
///
/// The page is a pure function of what is given: no date, no path of this machine. All that comes from elsewhere, names
/// and payloads and texts, travels as JSON in elements that no browser runs, and reaches the page as text only; the
/// page's policy admits its own script and style by their digests and nothing else.
package enum HTMLReport {
    /// Renders the page.
    ///
    /// - Parameters:
    ///   - suite: Of a failing run every event is drawn, up to ten thousand; of a passing one the five hundred most
    ///     telling, so that a suite that passes stays small.
    ///   - sources: The scenario files' texts, by the names that the runs give them.
    ///   - title: Stands at the top.
    ///   - command: Plays scenarios again, before its file and options.
    ///   - trace: The path of a run's saved trace from the page's folder, where there is one.
    /// - Returns: The page, in UTF-8.
    package static func render(
        _ suite: SuiteResult,
        sources: [String: String],
        title: String = "Scenarios",
        command: String = "squall run",
        trace: (CaseResult) -> String? = { _ in nil }
    ) -> String {
        let data = SuiteData(suite, sources: sources, title: title, command: command, trace: trace)
        let script = PageParts.script
        let style = PageParts.style
        var page: [UInt8] = []
        func add(_ text: String) { page.append(contentsOf: text.utf8) }
        func add(_ json: JSON, as id: String) {
            add("<script type=\"application/json\" id=\"\(id)\">")
            json.encode(into: &page, escapingHTML: true)
            add("</script>\n")
        }
        add(PageParts.head(script: script, style: style))
        page.append(contentsOf: style)
        add(PageParts.body)
        add(data.index, as: "suite")
        for (number, run) in data.pages.enumerated() { add(run, as: "run-\(number)") }
        add("<script>")
        page.append(contentsOf: script)
        add("</script>\n</body>\n</html>\n")
        return String(decoding: page, as: UTF8.self)
    }
}
