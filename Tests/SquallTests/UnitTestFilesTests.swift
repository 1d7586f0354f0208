import ScenarioModel
import Testing

@testable import Squall

/// Tests the lookup of the unit tests that the catalogue names.
@Suite struct UnitTestFilesTests {
    @Test("Only functions with an enabled attribute @Test count as unit tests")
    func onlyEnabledTestsAreFound() {
        let text = """
            @Suite struct Tests {
                private func helper() {}

                @Test("A ping is answered") func answersPings() {}

                @Test("Each frame is answered", arguments: [1, 2])
                func answersAll(_ count: Int) throws {}

                @Test("Later", .disabled("not built")) func later() {}

                func last() {}
            }
            """
        #expect(UnitTestFiles.functions(inText: text) == ["answersPings", "answersAll"])
    }

    @Test("Every unit test that the catalogue names exists in the sources")
    func everyTestOfTheCatalogueExists() throws {
        let catalogue = try CatalogueFiles.load()
        let named = Set(catalogue.rows.compactMap(\.test))
        #expect(!named.isEmpty)
        #expect(try CatalogueFiles.unitTests(of: catalogue, in: nil) == named)
    }

    @Test("A test with another name or target, or without a target, is reported as missing")
    func aWrongNameDoesNotExist() throws {
        let names = ["SquallTests/noSuchTest", "NoSuchTarget/aWrongNameDoesNotExist", "aWrongNameDoesNotExist"]
        let right = "SquallTests/aWrongNameDoesNotExist"
        let rows = (names + [right]).map { AuditRow(id: $0, title: "", test: $0) }
        #expect(try CatalogueFiles.unitTests(of: Catalogue(rows), in: nil) == [right])
    }
}
