import Foundation
import ScenarioModel
import Testing

@testable import Squall

/// Checks the catalogue against the number of findings that each audit states.
@Suite struct CatalogueFactsTests {
    private let catalogue: Catalogue

    init() throws {
        catalogue = try CatalogueFiles.load()
    }

    /// Returns an audit's areas in order, each with its findings, also in order.
    private func findings(of audit: String) -> [(area: String, findings: [String])] {
        var found: [(area: String, findings: [String])] = []
        for row in catalogue.rows where row.audit == audit {
            if found.last?.area != row.area { found.append((row.area, [])) }
            if found.last?.findings.contains(row.finding) == false {
                found[found.count - 1].findings.append(row.finding)
            }
        }
        return found
    }

    /// Returns the cases of the scenarios in this repository.
    private static func scenarios() throws -> [Scenario] {
        let folder = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Scenarios").path
        return try Suite.load(SuiteSelection(paths: [folder]))
    }

    private func items(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "WS-\($0)" } }

    @Test("The voice audit has its forty numbered items in the right categories")
    func theReviewsItemsAreAllThere() {
        // Forty findings have numbers; the remaining findings and the summaries have letters.
        let categories = findings(of: "voice")
            .map { $0.findings.filter { $0.dropFirst(3).allSatisfy(\.isNumber) } }
            .filter { !$0.isEmpty }
        #expect(
            categories == [
                items(1...3), items(4...5), items(6...7), items(8...10), items(11...13), items(14...16), items(17...20),
                items(21...24), items(25...28), items(29...31), items(32...34), items(35...37), items(38...40),
            ]
        )
        #expect(categories.count == 13)
        #expect(categories.map(\.count).reduce(0, +) == 40)
        let rows = catalogue.rows.filter { $0.audit == "voice" }
        let empty = categories.flatMap(\.self).filter { item in
            rows.filter { $0.finding == item }.allSatisfy { $0.origin == .inferred }
        }
        #expect(
            empty == items(8...10) + items(13...20) + items(22...30) + items(33...40),
            "what the review says nothing of is marked as inferred, and nothing else is"
        )
        let reviewed = categories.map { category in category.count { !empty.contains($0) } }
        #expect(reviewed == [3, 2, 2, 0, 2, 0, 0, 1, 0, 1, 1, 0, 0])
    }

    @Test("The voice audit's recommendations and their scenarios' tags have the audit's priorities; item 32 has none")
    func theRecommendationsHaveTheirPriorities() throws {
        var priorities: [String: Set<String>] = [:]
        for row in catalogue.rows where row.audit == "voice" && row.finding != "WS-R1" {
            guard let priority = row.priority else { continue }
            priorities[row.finding, default: []].insert(priority)
        }
        #expect(priorities == ["WS-2": ["high"], "WS-4": ["medium"], "WS-21": ["medium"], "WS-31": ["low"]])
        #expect(catalogue["WS-R1"]?.dependsOn == ["WS-2", "WS-4", "WS-21", "WS-31", "WS-32"])
        for scenario in try Self.scenarios() {
            let rows = scenario.coveredRows.compactMap { catalogue[$0] }
            let due = rows.flatMap { priorities[$0.finding] ?? [] }.map { "recommended:\($0)" }
            let tags = scenario.tags.filter { $0.hasPrefix("recommended:") }
            #expect(tags.sorted() == Set(due).sorted(), "\(scenario.file)")
        }
    }

    @Test("The chat audit has the expected number of findings per area and severity")
    func theFindingsAreCountedByAreaAndSeverity() {
        let areas = findings(of: "chat-ux").map { $0.findings.filter { $0.dropFirst(3).first?.isNumber == true } }
            .filter { !$0.isEmpty }
        #expect(areas.map(\.count) == [6, 6, 6, 5])
        func count(_ priority: String, in findings: [String]) -> Int {
            findings.count { finding in
                catalogue.rows.first { $0.finding == finding && $0.priority != nil }?.priority == priority
            }
        }
        let severities = areas.map { area in ["critical", "high", "medium", "low"].map { count($0, in: area) } }
        #expect(severities == [[2, 2, 2, 0], [2, 3, 1, 0], [1, 2, 2, 1], [1, 2, 1, 1]])
    }

    /// The ids of the ten most important findings, in descending order of importance.
    private static let ranked = [
        ["UX-2.2"], ["UX-1.3"], ["UX-2.1"], ["UX-3.1", "UX-1.4"], ["UX-4.3"], ["UX-2.4"], ["UX-3.2"], ["UX-4.5"],
        ["UX-3.5"], ["UX-4.1"],
    ]

    @Test("The catalogue row about the ranked findings depends on all of them")
    func theRankedFindingsAreThoseThatTheCatalogueRestsOn() {
        #expect(catalogue["UX-X7"]?.dependsOn == Self.ranked.flatMap(\.self))
    }

    @Test("The scenarios with the tag of a ranked finding are exactly those that cover it")
    func scenariosOfRankedFindingsHaveTheirTags() throws {
        let scenarios = try Self.scenarios()
        var tagged: Set<String> = []
        for scenario in scenarios {
            let findings = Set(scenario.coveredRows.compactMap { catalogue[$0]?.finding })
            let due = Self.ranked.indices.filter { !findings.isDisjoint(with: Self.ranked[$0]) }.map {
                "rank:\($0 + 1)"
            }
            #expect(Set(scenario.tags.filter { $0.hasPrefix("rank:") }) == Set(due), "\(scenario.file)")
            tagged.formUnion(due)
        }
        #expect(tagged == Set(Self.ranked.indices.map { "rank:\($0 + 1)" }))
    }
}
