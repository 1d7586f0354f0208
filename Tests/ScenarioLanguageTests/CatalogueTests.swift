import FakeServer
import Foundation
import ReferenceClient
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Checks that the catalogue of audit rows is consistent, and compares it with the defects in the code and with the
/// scenarios.
@Suite struct CatalogueTests {
    static let fixtures = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures").resolvingSymlinksInPath()

    private static let sizes = [("chat-ux", 112), ("polish", 87), ("voice", 110), ("flows", 26), ("push", 45)]

    /// The rows of all audits. Invalid files are omitted here; ``everyAuditReads(_:_:)`` reports them.
    static let catalogue = Catalogue(sizes.flatMap { (try? rows(of: $0.0)) ?? [] })

    private static func source(of audit: String) throws -> SourceText {
        let file = fixtures.appendingPathComponent("catalogue/\(audit).yaml")
        return SourceText(file: "\(audit).yaml", text: try String(contentsOf: file, encoding: .utf8))
    }

    private static func rows(of audit: String) throws -> [AuditRow] {
        let source = try source(of: audit)
        switch CatalogueReader.read(source) {
        case .success(let rows): return rows
        case .failure(let mistakes):
            Issue.record("\(mistakes.rendered(in: source))")
            throw mistakes
        }
    }

    // MARK: - Catalogue rows

    @Test("Every audit of the catalogue can be parsed and has the expected number of rows", arguments: sizes)
    func everyAuditReads(_ audit: String, _ count: Int) throws {
        let rows = try Self.rows(of: audit)
        #expect(rows.count == count)
        #expect(rows.allSatisfy { $0.audit == audit })
    }

    @Test("Every row of the catalogue has a unique id and a unique title")
    func everyRowHasItsOwnIDAndItsOwnWords() {
        let rows = Self.catalogue.rows
        #expect(rows.count == 380)
        #expect(Set(rows.map(\.id)).count == 380)
        #expect(Set(rows.map(\.title)).count == 380)
        #expect(rows.allSatisfy { (10...130).contains($0.title.count) && !$0.title.hasSuffix(".") })
    }

    @Test("The rows marked as untestable are exactly the listed ones")
    func untestableRowsAreMarked() {
        let rows = Self.catalogue.rows.filter { !$0.isTestable }
        #expect(
            Set(rows.map(\.id)) == [
                // These requirements are about what a screen shows or about documentation.
                "UX-X9", "PO-1.1d", "PO-1.3g", "PO-2.3h", "PO-C2", "PO-M1", "WS-M2", "PN-M1", "PN-X22",
                // These requirements cannot be violated in the protocol, the model or Squall.
                "UX-2.4c", "PO-1.3b", "PO-2.2h", "WS-5d", "PN-7", "PN-X19",
            ]
        )
        let partly = Self.catalogue.rows.filter { if case .partly = $0.checkability { true } else { false } }
        // The audits mark 16 rows as partly checkable. The others state what stands for a clause that no headless run
        // can check: one about drawing, the app's code, its log or its production metrics, or about a feature that the
        // model or the protocol lacks.
        #expect(partly.count == 62)
    }

    @Test("References between catalogue rows point only to rows that exist")
    func rowsReferToExistingRows() {
        #expect(Self.catalogue.problems.isEmpty)
    }

    @Test("A reference names either one row or all rows of a finding")
    func referencesMeanARowOrAFinding() {
        #expect(Self.catalogue.rows(of: "UX-2.2h").map(\.id) == ["UX-2.2h"])
        #expect(Self.catalogue.rows(of: "WS-1").map(\.id).contains("WS-1g"))
        #expect(!Self.catalogue.rows(of: "WS-1").map(\.id).contains("WS-10"))
        #expect(Self.catalogue.rows(of: "UX-9").isEmpty)
    }

    // MARK: - Defects

    private static var builtDefects: [(name: String, rows: [String])] {
        Defect.all.map { ($0.name, $0.rows) } + ServerDefect.all.map { ($0.name, $0.rows) }
    }

    /// Returns the defects that the catalogue names but no policy implements. No defects may be added to this list.
    private static func unbuilt() throws -> Set<String> {
        let file = fixtures.appendingPathComponent("unbuilt-defects.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return Set(lines.filter { !$0.hasPrefix("#") }.map(String.init))
    }

    @Test("Every defect in the catalogue is either implemented or listed as not implemented")
    func everyDefectNamedIsBuiltOrListedAsMissing() throws {
        let built = Set(Self.builtDefects.map(\.name))
        let unbuilt = try Self.unbuilt()
        let missing = Set(Self.catalogue.defects).subtracting(built)
        #expect(
            missing.subtracting(unbuilt).sorted() == [],
            "no policy has these, and Fixtures/unbuilt-defects.txt neither"
        )
        #expect(
            unbuilt.subtracting(missing).sorted() == [],
            "these are built: take them out of Fixtures/unbuilt-defects.txt"
        )
        // The audits propose 187 defects, of which `presenceJump` needs a screen. Squall adds `disconnectLeavesTimers`,
        // `tokenGivenUpForGood`, `viewingOutlivesScreen`, and 152 defects for rows that the other defects violate only
        // in part or not at all.
        #expect(Self.catalogue.defects.count == 341)
    }

    @Test(
        "The rows of a defect in the code are the rows that name the defect in the catalogue",
        arguments: CatalogueTests.builtDefects.map(\.name)
    )
    func aDefectHasTheRowsThatNameIt(_ name: String) throws {
        let defect = try #require(Self.builtDefects.first { $0.name == name })
        #expect(Set(Self.catalogue.rows(with: name).map(\.id)) == Set(defect.rows))
    }

    // MARK: - Scenarios

    @Test("Scenarios cover only rows that exist in the catalogue", arguments: ShippedScenarioTests.files)
    func scenariosCoverExistingRows(_ file: String) throws {
        let text = try String(contentsOf: ShippedScenarioTests.folder.appendingPathComponent(file), encoding: .utf8)
        let source = SourceText(file: file, text: text)
        if case .failure(let mistakes) = ScenarioReader.read(source, catalogue: Self.catalogue) {
            Issue.record("\(mistakes.rendered(in: source))")
        }
    }

    // MARK: - Invalid files

    @Test("Every error in a catalogue file is reported with its location")
    func everyMistakeOfAFileHasItsLocation() {
        let source = SourceText(
            file: "wrong.yaml",
            text: """
                audit: chat-ux
                prefix: UX
                colour: red
                areas:
                  loading:
                    - row: UX-1.1a
                      title: Something
                      section: "1.1"
                      asserts: [3s, soon, "later", 50]
                      priority: urgent
                    - row: UX-1.1a
                      title: The same once more
                      section: "1.1"
                    - row: WS-1a
                      title: Of another audit
                      section: "1"
                    - row: UX-1.1b
                      titel: Misspelt
                      section: "1.1"
                    - row: UX-1.1c
                      title: With no list
                      section: "1.1"
                      asserts: 15s
                  empty: nothing

                """
        )
        guard case .failure(let mistakes) = CatalogueReader.read(source) else {
            Issue.record("it is read without a mistake")
            return
        }
        let told = mistakes.diagnostics.map { "\($0.location.line):\($0.location.column) \($0.message)" }
        #expect(
            told == [
                "3:1 unknown key 'colour' of an audit",
                "9:21 'soon' is neither a number nor a duration",
                "10:17 invalid value 'urgent' of 'priority'",
                "11:12 duplicate row UX-1.1a",
                "14:12 invalid row id 'WS-1a' in an audit with the prefix UX",
                "17:7 a row needs 'title'",
                "18:7 unknown key 'titel' of a row",
                "23:16 'asserts' must be a list, not '15s'",
                "24:10 'empty' must be a list of rows, not 'nothing'",
            ]
        )
        #expect(mistakes.diagnostics[6].help == "did you mean 'title'?")
    }
}
