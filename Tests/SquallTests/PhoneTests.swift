import Foundation
import ScenarioModel
import Simulation
import SquallCore
import Testing

@testable import Squall

/// Tests notifications on a phone that is switched off, or on which the app has been killed.
@Suite struct PhoneTests {
    private func parts(_ script: [String], expecting expectation: String) throws -> [ExpectationResult] {
        let text = """
            squall: 1
            name: A phone
            profile: push
            script:
              - user: { open: raynor }
              - wait: { connection.state: connected }
              - device: { token: phone-1 }
              - wait: { push_token.state: saved }
            \(script.map { "  - \($0)" }.joined(separator: "\n"))
              - wait: 20s
            expect:
              - \(expectation)
            """
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("phone-\(UUID()).yaml")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let plan = RunPlan(try #require(try Suite.load(SuiteSelection(paths: [file.path])).first))
        return CaseResult(SimulatedWorld.play(plan), of: plan, world: .sim, wall: .zero).expectations
    }

    private static let notified = [
        "device: kill", "server: { post: { to: stukov }, as: news }", "wait: \"client.notified[news]\"",
    ]

    @Test(
        "A kill cancels a pending launch by a notification",
        arguments: [
            ("user: { tap: news }", "never: { view.conversation: stukov }"),
            ("user: { reply: { text: \"yes\", to: news }, as: answer }", "never: \"server.stored[answer]\""),
        ]
    )
    func killedWhileItStarts(_ operation: String, _ expectation: String) throws {
        let twice = ["device: { kill: { down: 5s } }", "wait: 4s", "device: { kill: { down: 5s } }"]
        let parts = try parts(Self.notified + [operation] + twice, expecting: expectation)
        #expect(parts.map(\.verdict) == [.pass], "\(parts.compactMap(\.why))")
    }

    @Test("A rebooting phone shows no notification until it has started again")
    func aRebootingPhoneIsOff() throws {
        let parts = try parts(
            [
                "device: { reboot: { down: 60s } }", "server: { post: { to: stukov }, as: news }", "wait: 10s",
                "user: { tap: news }", "wait: 55s", "user: { tap: news }",
            ],
            expecting: "in_order: { of: [client.notification_absent, client.started, \"client.notified[news]\", "
                + "\"client.notification_tapped[news]\"], within: 80s }"
        )
        #expect(parts.map(\.verdict) == [.inconclusive, .pass], "\(parts.compactMap(\.why))")
        #expect(parts.first?.why?.hasPrefix("there was no notification 'news' on the phone at 10.") == true)
    }

    @Test("A phone without a network receives its pushes when the network returns")
    func aPhoneThatIsOnAgainAndHasNoNetworkIsNotReached() throws {
        let parts = try parts(
            [
                "device: { network: off }", "device: { reboot: { down: 5s } }",
                "server: { post: { to: stukov }, as: news }", "wait: 30s", "device: { network: on }",
            ],
            expecting: "in_order: { of: [client.started#2, device.network#2, client.push_arrived], within: 50s }"
        )
        #expect(parts.map(\.verdict) == [.pass], "\(parts.compactMap(\.why))")
    }
}
