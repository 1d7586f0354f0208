import Conformance
import Testing

@Suite struct CaseNamesTests {
    private static let ids = ConformanceCatalogue.cases().map(\.id)

    @Test(
        "The error for an unknown case name suggests the nearest name or shows the group's range",
        arguments: [
            ("h.1", "did you mean 'H.1'?"), ("H-2", "did you mean 'H.2'?"), ("7.1.1.", "did you mean '7.1.1'?"),
            ("7.1.9", "7.1 has 7.1.1 to 7.1.6"), ("10.2", "10 has 10.1.1 only"), ("T.99", "T has T.1 to T.8"),
        ]
    )
    func aWrongNameIsHelped(pattern: String, help: String) {
        #expect(CaseNames.help(for: pattern, among: Self.ids) == help)
    }

    @Test(
        "The error for an ID without a near match lists the first parts of all IDs",
        arguments: ["8", "", "zz.1", "."]
    )
    func noNearName(pattern: String) {
        let help = CaseNames.help(for: pattern, among: Self.ids)
        #expect(help.hasPrefix("ids begin with 1, 2, 3, "))
        #expect(help.hasSuffix("'squall conformance list' lists all"))
    }
}
