import ScenarioModel
import SquallCore
import Trace

/// Renders a comparison as one self-contained HTML page, which displays the two runs of each changed case side by side.
package enum ComparisonPage {
    /// The maximum number of cases whose events are included in the page.
    private static let drawn = 200

    /// Renders the page.
    ///
    /// - Parameters:
    ///   - old: The name of the old report.
    ///   - new: The name of the new report.
    /// - Returns: The page, in UTF-8.
    package static func render(_ comparison: SuiteComparison, old: String, new: String) -> String {
        var chunks = PageChunks()
        var summaries: [JSON] = []
        let changed = CaseChange.allCases.filter { $0 != .unchanged }.flatMap { bySize(comparison.cases($0)) }
        let cases = changed.enumerated().map { index, item in
            self.item(item, isDrawn: index < drawn, &summaries, &chunks)
        }
        let (verdict, title) = headline(comparison)
        let data: JSON = [
            "title": .string(title),
            "verdict": .string(verdict.rawValue),
            "old": ComparisonJSON.origin(comparison.old, report: old),
            "new": ComparisonJSON.origin(comparison.new, report: new),
            "notes": .array(comparison.notes.map { .string($0) }),
            "changes": .array(
                CaseChange.allCases.filter { $0 != .unchanged && comparison.count($0) > 0 }.map {
                    [
                        "change": .string($0.rawValue), "words": .string($0.words),
                        "count": .integer(Int64(comparison.count($0))),
                    ]
                }
            ),
            "cases": .array(cases),
            "runs": .array(summaries),
        ]
        let (script, style) = (PageParts.comparisonScript, PageParts.comparisonStyle)
        var page: [UInt8] = []
        func add(_ text: String) { page.append(contentsOf: text.utf8) }
        add(PageParts.head(title: "Squall comparison", script: script, style: style))
        page.append(contentsOf: style)
        add(PageParts.body)
        add("<script type=\"application/json\" id=\"comparison\">")
        data.encode(into: &page, escapingHTML: true)
        add("</script>\n<script>")
        page.append(contentsOf: script)
        add("</script>\n")
        add(chunks.elements())
        add("</body>\n</html>\n")
        return String(decoding: page, as: UTF8.self)
    }

    /// Returns the cases with one kind of change, grouped by cause. As in the text report, the cause with the most
    /// cases comes first. Cases without a cause keep their order.
    private static func bySize(_ cases: [ComparedCase]) -> [ComparedCase] {
        var groups: [(key: CauseGroup.Key?, cases: [ComparedCase])] = []
        var places: [CauseGroup.Key: Int] = [:]
        for compared in cases {
            let key = compared.new.flatMap { CauseGroup.Key($0.run) }
            if let key, let place = places[key] {
                groups[place].cases.append(compared)
            } else {
                if let key { places[key] = groups.count }
                groups.append((key, [compared]))
            }
        }
        return groups.enumerated()
            .sorted { ($1.element.cases.count, $0.offset) < ($0.element.cases.count, $1.offset) }
            .flatMap(\.element.cases)
    }

    private static func headline(_ comparison: SuiteComparison) -> (CaseVerdict, String) {
        let cases = TerminalReport.count(comparison.caseCount, "case")
        let failing = comparison.count(.newlyFailing)
        if failing > 0 { return (.fail, "\(failing) of \(cases) newly failing") }
        let doubtful = comparison.count(.newlyInconclusive)
        if doubtful > 0 { return (.inconclusive, "\(doubtful) of \(cases) newly inconclusive") }
        return (.pass, "None of \(cases) newly failing")
    }

    private static func item(
        _ item: ComparedCase,
        isDrawn: Bool,
        _ summaries: inout [JSON],
        _ chunks: inout PageChunks
    ) -> JSON {
        func side(_ side: ComparedCase.Side?, at index: Int?) -> JSON {
            guard let side else { return .null }
            var json: JSON = ["verdict": .string(side.verdict.rawValue)]
            guard isDrawn, side.run.hasWholeTrace, side.run.wasPlayed else { return json }
            let data = RunData(side.run, passingLimit: nil, keeping: index)
            json.set("run", to: .integer(Int64(summaries.count)))
            summaries.append(data.summary(hasStrip: false))
            chunks.append(data.page(command: "squall run", trace: nil))
            return json
        }
        var json: JSON = [
            "title": .string(item.title), "file": .string(item.key.file),
            "worlds": .array(item.worlds.map { .string($0.rawValue) }),
            "change": .string(item.change.rawValue), "words": .string(item.change.words),
            "verdicts": .string(item.verdicts),
            "old": side(item.old, at: item.divergence?.left),
            "new": side(item.new, at: item.divergence?.right),
        ]
        if let obstacle = item.replayObstacle { json.set("obstacle", to: .string(obstacle)) }
        if let run = item.new?.run, run.verdict != .pass {
            if let cause = CauseLine(of: run) { json.set("cause", to: .string(cause.located(in: run))) }
            if let key = CauseGroup.Key(run) { json.set("shape", to: .string(key.shape)) }
            json.set("replay", to: .string(ReplayCommand.of(run, command: "squall run")))
        }
        if let divergence = item.divergence {
            json.set(
                "divergence",
                to: [
                    "old": divergence.left.map { .integer(Int64($0)) } ?? .null,
                    "new": divergence.right.map { .integer(Int64($0)) } ?? .null,
                    "what": .string(divergence.summary),
                ]
            )
        }
        return json
    }
}
