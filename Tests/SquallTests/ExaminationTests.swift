import Foundation
import Foundations
import ScenarioModel
import TestSupport
import Testing

@testable import Squall

/// What `check --prove` says of scenarios that prove nothing, and of those that do.
@Suite struct ExaminationTests {
    private func findings(_ text: String) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("examined-\(UUID()).yaml")
        try ("squall: 1\nname: Examined\n" + text).write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try Suite.load(SuiteSelection(paths: [file.path])).flatMap {
            try Examination.findings(of: $0, seed: Seed(1), prove: true, races: false)
        }
    }

    private func script(_ deed: String, expecting expectation: String) -> String {
        """
        script:
          - user: { open: lobby }
          - wait: { connection.state: connected }
          - wait: 1s
          - \(deed)
        expect:
          - eventually: { connection.state: connected, \(expectation) }
        """
    }

    @Test(
        "a connection that was there before the disturbance proves nothing of it",
        arguments: [
            ("network: drop", "drop"), ("network: { blackhole: { for: 1h } }", "blackhole"),
            ("server: { restart: { down: 12s } }", "restart"), ("device: { network: off }", "network"),
        ]
    )
    func tooEarly(deed: String, word: String) throws {
        let findings = try findings(script(deed, expecting: "within: 10s"))
        #expect(findings.count == 1)
        #expect(
            findings.first?.contains(", before the first thing that the script does to it, \(word) at 1.0") == true,
            "\(findings)"
        )
        #expect(findings.first?.hasSuffix("say after: or at: end") == true)
    }

    @Test(
        "with a scope it does, and where nothing is disturbed there is nothing to ask",
        arguments: [
            ("network: drop\n  - wait: 20s", "within: 10s, after: client.disconnected"),
            ("server: { post: lobby }", "within: 10s"),
        ]
    )
    func meant(deed: String, expectation: String) throws {
        #expect(try findings(script(deed, expecting: expectation)) == [])
    }
}
