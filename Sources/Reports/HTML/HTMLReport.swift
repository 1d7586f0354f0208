package import ScenarioModel
import SquallCore

/// Renders a suite as one self-contained HTML page, which needs no server, network or fonts.
///
/// The page depends only on the inputs; a date, a commit and a command appear only in the description of the suite's
/// origin. All content from outside (names, payloads, strings) is JSON in elements that browsers do not execute, and is
/// displayed only as text. The list of cases, the runs and the sources are compressed; runs and sources are
/// decompressed when they are first displayed. The page's Content-Security-Policy allows only its own script and style,
/// by their digests.
package enum HTMLReport {
    /// Renders the page.
    ///
    /// - Parameters:
    ///   - suite: The results. The page contains all events of a failing run, up to ten thousand, but at most the three
    ///     hundred most important events of a passing run, so that a passing suite's page stays small.
    ///   - sources: The contents of the scenario files, keyed by the names that the runs use.
    ///   - title: The heading of the page.
    ///   - command: The command that replays scenarios, without the file and the options.
    ///   - trace: Returns the path of a run's saved trace, relative to the page's folder, or nil if the trace was not
    ///     saved.
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
        add(PageParts.head(script: script, style: style))
        page.append(contentsOf: style)
        add(PageParts.body)
        add(PageChunks.element(data.index, id: "suite"))
        // The script precedes the runs, so that it can draw the list before the browser parses them.
        add("<script>")
        page.append(contentsOf: script)
        add("</script>\n")
        add(PageChunks.element(data.sources, id: "sources"))
        add(data.pages.elements())
        add("</body>\n</html>\n")
        return String(decoding: page, as: UTF8.self)
    }
}
