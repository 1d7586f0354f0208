import Foundation
import ScenarioModel
import SquallCore
import TestSupport
import Testing

@testable import Squall

/// Tests that `check --prove` reports weak expectations in scenarios, and reports nothing for sound ones.
@Suite struct ExaminationTests {
    private func findings(_ text: String, races: Bool = false, traces: String? = nil) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("examined-\(UUID()).yaml")
        try ("squall: 1\nname: Examined\n" + text).write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try Suite.load(SuiteSelection(paths: [file.path])).flatMap {
            try ScenarioAudit.findings(of: $0, seed: Seed(1), prove: true, races: races, traces: traces)
        }
    }

    private func script(_ operation: String, expecting expectation: String) -> String {
        """
        script:
          - user: { open: lobby }
          - wait: { connection.state: connected }
          - wait: 1s
          - \(operation)
        expect:
          - eventually: { connection.state: connected, \(expectation) }
        """
    }

    @Test(
        "The audit reports an expectation that a connection from before the disturbance already satisfies",
        arguments: [
            ("network: drop", "drop"), ("network: { blackhole: { for: 1h } }", "blackhole"),
            ("server: { restart: { down: 12s } }", "restart"), ("device: { network: off }", "network"),
        ]
    )
    func tooEarly(operation: String, word: String) throws {
        let findings = try findings(script(operation, expecting: "within: 10s"))
        #expect(findings.count == 1)
        #expect(
            findings.first?.contains(", before the script's first disturbance, \(word) at 1.0") == true,
            "\(findings)"
        )
        #expect(findings.first?.hasSuffix("add after: or at: end") == true)
    }

    @Test(
        "The audit reports nothing for an expectation with a scope or a scenario without a disturbance",
        arguments: [
            ("network: drop\n  - wait: 20s", "within: 10s, after: client.disconnected"),
            ("server: { post: lobby }", "within: 10s"),
        ]
    )
    func meant(operation: String, expectation: String) throws {
        #expect(try findings(script(operation, expecting: expectation)) == [])
    }

    @Test("The audit reports a bound that begins with the client's own report instead of its cause")
    func immediate() throws {
        func script(_ expectation: String) -> String {
            """
            script:
              - user: { open: lobby }
              - wait: { connection.state: connected }
              - network: drop
              - wait: { next: { connection.state: connected }, within: 20s }
            expect:
              - \(expectation)
            """
        }
        func leadsTo(when trigger: String) -> String {
            "leads_to: { when: \(trigger), then: { connection.state: reconnecting }, within: 1s }"
        }
        func eventually(after opening: String) -> String {
            "eventually: { connection.state: reconnecting, after: \(opening), within: 1s }"
        }
        for expectation in [leadsTo(when: "client.disconnected"), eventually(after: "client.disconnected")] {
            let found = try findings(script(expectation)).map { $0.contains("'within' measures nothing") }
            #expect(found == [true], "\(expectation)")
        }
        for expectation in [leadsTo(when: "fault.hit"), eventually(after: "fault.hit")] {
            #expect(try findings(script(expectation)) == [], "\(expectation)")
        }
    }

    private let twoReaders = """
        clients: [anna, ben]
        script:
          - user: { open: lobby }
          - wait: { connection.state: connected }
          - wait: 1s
          - server: { post: lobby, as: news }
        expect:
          - in_order: { of: ["anna.client.received.message[news]", "ben.client.received.message[news]"] }

        """

    @Test("If a verdict depends on the order of two events, the audit names both and writes a trace of each order")
    func races() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("races-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let findings = try findings(twoReaders, races: true, traces: folder)
        #expect(findings.count == 1)
        let told = findings.first ?? ""
        #expect(told.contains(": racy: Examined is fail when deliveries and timers shift within"), "\(told)")
        let pair = "anna.client.received.message[news] at 1.001, and ben.client.received.message[news] "
        #expect(told.contains("It depends on the order of two events: \(pair)"), "\(told)")
        let traces = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }
            .sorted()
        #expect(traces.map { $0.split(separator: "/").last } == ["as-meant.jsonl", "otherwise.jsonl"])
        let difference = try TraceFiles.difference("\(folder)/\(traces[0])", "\(folder)/\(traces[1])")
        #expect(difference?.contains("ben.client.received.message[news]") == true)
    }

    @Test("If the script waits between two events, no schedule changes the verdict")
    func noRace() throws {
        let steady = twoReaders.replacing(
            "- server: { post: lobby, as: news }",
            with: """
                - network: { latency: { delay: 300ms, clients: [ben] } }
                  - server: { post: lobby, as: news }
                """
        )
        #expect(try findings(steady, races: true) == [])
    }

    @Test("The audit of a scenario for live only has no simulated run to examine")
    func liveAlone() throws {
        let text = """
            server: { upstream: "ws://127.0.0.1:9" }
            script:
              - wait: { next: client.received.message }
            expect:
              - eventually: { connection.state: connected }

            """
        #expect(try findings(text, races: true) == [])
    }
}
