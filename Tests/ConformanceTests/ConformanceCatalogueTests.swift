import Conformance
import SquallCore
import Testing

@Suite struct CatalogueTests {
    /// The number of cases in each group of the published suite.
    private static let published: [(group: String, count: Int)] = [
        ("1.1", 8), ("1.2", 8), ("2", 11), ("3", 7), ("4.1", 5), ("4.2", 5), ("5", 20), ("6.1", 3), ("6.2", 4),
        ("6.3", 2),
        ("6.4", 4), ("6.5", 5), ("6.6", 11), ("6.7", 4), ("6.8", 2), ("6.9", 4), ("6.10", 3), ("6.11", 5), ("6.12", 8),
        ("6.13", 5), ("6.14", 10), ("6.15", 1), ("6.16", 3), ("6.17", 5), ("6.18", 5), ("6.19", 5), ("6.20", 7),
        ("6.21", 8), ("6.22", 34), ("6.23", 7), ("7.1", 6), ("7.3", 6), ("7.5", 1), ("7.7", 13), ("7.9", 9),
        ("7.13", 2),
        ("9.1", 6), ("9.2", 6), ("9.3", 9), ("9.4", 9), ("9.5", 6), ("9.6", 6), ("9.7", 6), ("9.8", 6), ("10.1", 1),
        ("12.1", 18), ("12.2", 18), ("12.3", 18), ("12.4", 18), ("12.5", 18), ("13.1", 18), ("13.2", 18), ("13.3", 18),
        ("13.4", 18), ("13.5", 18), ("13.6", 18), ("13.7", 18),
    ]

    @Test("The catalogue contains every case ID of the published suite") func publishedIds() {
        let ids = ConformanceCatalogue.published().map(\.id)
        #expect(ids.count == 517)
        #expect(Set(ids).count == 517)
        for (group, count) in Self.published {
            #expect(ids.filter { $0.matches("\(group).*") }.count == count, "\(group)")
        }
        #expect(ids == ids.sorted())
        #expect(ids.filter { !["9", "12", "13"].contains($0.category) }.count == 247)
        for (group, count) in Self.published {
            let numbers = ids.filter { $0.group == group }.compactMap { $0.parts.last.flatMap { Int($0) } }
            #expect(numbers == Array(1...count), "\(group)")
        }
    }

    @Test("Every case has a title, an RFC section and allowed outcomes") func everyCaseSaysWhatItIs() {
        let cases = ConformanceCatalogue.cases()
        #expect(Set(cases.map(\.id)).count == cases.count)
        let categories = Set(ConformanceCatalogue.categories.map(\.id))
        for testCase in cases {
            #expect(!testCase.title.isEmpty && testCase.title.hasSuffix("."), "\(testCase.id)")
            #expect(!testCase.allowed.isEmpty, "\(testCase.id)")
            #expect(
                testCase.sections.allSatisfy { $0.hasPrefix("RFC ") } && !testCase.sections.isEmpty,
                "\(testCase.id)"
            )
            #expect(!testCase.testedRoles.isEmpty, "\(testCase.id)")
            #expect(categories.contains(testCase.id.category), "\(testCase.id)")
        }
    }

    @Test(
        "A pattern selects cases by group and wildcard",
        arguments: [
            ("7.1.1", "7.1.1", true), ("7.1.1", "7.1.*", true), ("7.1.1", "7", true), ("7.1.1", "*", true),
            ("7.10.1", "7.1.*", false),
            ("13.1.10", "13.1.1", false), ("H.3", "H", true), ("H.3", "7", false), ("13.2.1", "13.*.1", true),
        ]
    )
    func patterns(id: String, pattern: String, matches: Bool) {
        #expect(CaseID(id).matches(pattern) == matches)
    }

    @Test("Case IDs are sorted by number, and Squall's own cases come last") func order() {
        #expect(
            ["H.1", "13.1.2", "2.10", "2.9", "13.1.10"].map { CaseID($0) }.sorted().map(\.description)
                == ["2.9", "2.10", "13.1.2", "13.1.10", "H.1"]
        )
    }
}
