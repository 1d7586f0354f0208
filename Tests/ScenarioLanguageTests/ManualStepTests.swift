import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests which user steps must be performed by a person when Squall does not control the client.
@Suite struct ManualStepTests {
    private static func fit(_ body: String, home: ForeignPlan.Home = .attended) throws -> ScenarioFitting {
        ScenarioFitting(try scenario(body), to: ForeignPlan(hasAdapter: false, home: home))
    }

    private static func waits(in fitting: ScenarioFitting) -> [String] {
        fitting.scenario.script.compactMap { step in
            guard case .wait(let condition, let next, let within) = step.kind, let event = condition.event,
                event.name == "client.performed"
            else { return nil }
            return "\(event.client) #\(event.ordinal ?? 0)\(next ? " next" : "") within \(within)"
        }
    }

    private static let body = """
        script:
          - user: { send: hello, to: stukov }
            as: hello
          - wait: "client.received.confirm[hello]"
          - user: disconnect
          - user: reconnect
          - wait: { next: client.connected }
        expect:
          - count: { of: "server.stored[hello]", exactly: 1 }
        """

    @Test("The script waits until a person has performed each step that the traffic can show")
    func everyStepIsAwaited() throws {
        let fitting = try Self.fit(Self.body)
        #expect(fitting.skipped.isEmpty)
        #expect(fitting.scenario.script.count == 8)
        #expect(Self.waits(in: fitting).map { $0.split(separator: " ")[1] } == ["#1", "#2", "#3"])
    }

    @Test("A person who is not asked performs no step, and the reason says how to be asked")
    func withoutBeingAsked() throws {
        let fitting = try Self.fit(Self.body, home: .elsewhere)
        #expect(Self.waits(in: fitting).isEmpty)
        let reason = "a person runs this client, and only --by-hand asks for 'send'"
        #expect(fitting.skipped.contains { $0.why == reason }, "\(fitting.skipped)")
    }

    @Test("Each client has its own count of steps")
    func severalClients() throws {
        let fitting = try Self.fit(
            """
            clients: [anna, ben]
            script:
              - anna.user: { send: hello, to: stukov }
              - ben.user: { send: hello, to: stukov }
              - ben.user: { send: again, to: stukov }
            """
        )
        #expect(Self.waits(in: fitting).map { $0.contains("anna") } == [true, false, false])
        #expect(Self.waits(in: fitting).map { $0.contains("#2") } == [false, false, true])
    }

    @Test(
        "A person is not asked for a step of several clients, at a time, or that the traffic cannot show",
        arguments: [
            "clients: [anna, ben]\nscript:\n  - user: { send: hello, to: stukov }",
            "script:\n  - user: { send: hello, to: stukov }\n    at: 3s",
            "script:\n  - user: refresh",
        ]
    )
    func stepsThatAreSkipped(_ body: String) throws {
        let fitting = try Self.fit(body)
        #expect(Self.waits(in: fitting).isEmpty)
        #expect(fitting.skipped.count == 1)
    }
}
