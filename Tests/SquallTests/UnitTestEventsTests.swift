import ScenarioModel
import SquallCore
import Testing

@testable import Squall

/// Tests how unit-test results are read from Swift Testing event streams.
@Suite struct UnitTestEventsTests {
    private func event(_ kind: String, _ id: String? = nil, _ symbol: String? = nil) -> String {
        let test = id.map { #","testID":"\#($0)""# } ?? ""
        let messages = symbol.map { #"{"symbol":"\#($0)","text":"Test ended."}"# } ?? ""
        return #"{"kind":"event","payload":{"kind":"\#(kind)","messages":[\#(messages)]\#(test)},"version":0}"# + "\n"
    }

    private func results(_ events: String...) throws -> UnitTestResults {
        try UnitTestEvents.results(inText: events.joined() + event("runEnded"), from: "events.jsonl")
    }

    @Test("Tests that end with the symbol of a pass have passed, in a suite, in a nested suite and outside of suites")
    func testsThatPassedAreFound() throws {
        let results = try results(
            #"{"kind":"test","payload":{"id":"A.S","kind":"suite","name":"S"},"version":0}"# + "\n",
            event("testStarted", #"A.S\/one()\/A.swift:3:4"#, "default"),
            event("testEnded", #"A.S\/one()\/A.swift:3:4"#, "pass"),
            event("testEnded", #"A.S\/T\/two(_:more:)\/A.swift:9:4"#, "pass"),
            event("testEnded", #"B.three()\/B.swift:1:2"#, "pass"),
            event("testEnded", "A.S", "pass")
        )
        #expect(results == UnitTestResults(passed: ["A/one", "A/two", "B/three"]))
    }

    @Test(
        "A test that failed, was skipped or cancelled, has a known issue or has not ended counts as not passed",
        arguments: ["fail", "skip", "passWithKnownIssue"]
    )
    func otherEndsAreNoPasses(_ symbol: String) throws {
        let results = try results(
            event("testStarted", #"A.S\/unended()\/A.swift:3:4"#, "default"),
            event("testEnded", #"A.S\/one()\/A.swift:3:4"#, symbol),
            event("testSkipped", #"A.S\/disabled()\/A.swift:4:4"#, "skip")
        )
        #expect(results == UnitTestResults(notPassed: ["A/one", "A/disabled"]))
    }

    @Test("A test passes only if the tests of that name in all suites of the target do")
    func everySuiteHasToPass() throws {
        let results = try results(
            event("testEnded", #"A.S\/one()\/A.swift:3:4"#, "pass"),
            event("testEnded", #"A.T\/one()\/B.swift:3:4"#, "fail")
        )
        #expect(results == UnitTestResults(notPassed: ["A/one"]))
    }

    @Test(
        "A stream that is cut off and a file that is no stream are refused",
        arguments: ["", #"{"kind":"#, "<xml/>\n"]
    )
    func incompleteStreamsAreRefused(_ rest: String) {
        let text = event("testEnded", #"A.S\/one()\/A.swift:3:4"#, "pass") + rest
        let error = #expect(throws: SquallError.self) {
            try UnitTestEvents.results(inText: text, from: "events.jsonl")
        }
        #expect(error.map(String.init(describing:))?.contains("events.jsonl:") == true)
    }
}
