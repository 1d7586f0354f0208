import Adapter
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests that a recording that begins with a message of the user can be played with the app that it came from.
@Suite struct RecordedFittingTests {
    /// The example of the page `Recording`.
    private static let recorded = """
        script:
          - wait: client.connected
          - user: { send: { text: message 1, to: stukov } }
            as: message-1
          - wait: "client.received.confirm[message-1]"
          - network: { stall: 4s }
            as: tunnel
          - wait: "fault.ended[tunnel]"
          - server: { post: stukov }
            as: posted-1
          - wait: "client.received.message[posted-1]"
          - network: drop
          - wait: client.connected#2
        expect:
          - eventually: client.disconnected
            after: "fault.began[drop]"
            within: 1s
          - eventually: "client.received.message[posted-1]"
            after: server.post
            within: 1s
          - count: { of: "server.stored[message-1]", exactly: 1 }
        """

    private static func fit(takes: [String], hasAdapter: Bool) throws -> ScenarioFitting {
        let offer = AdapterCapabilities(name: "acme", shows: [], takes: takes)
        return ScenarioFitting(try scenario(recorded), to: ForeignPlan(hasAdapter: hasAdapter, offer: offer))
    }

    @Test("A client that takes no commands skips the user's step, the wait for its label and what is expected of it")
    func withoutCommands() throws {
        let fitting = try Self.fit(takes: [], hasAdapter: false)
        let reason = "this client takes no commands, so it cannot perform 'send'"
        #expect(
            fitting.skipped.map { "\($0.word): \($0.why ?? "")" } == [
                "user: send: \(reason)", "wait: nothing has the label 'message-1': \(reason)",
                "count: nothing has the label 'message-1': \(reason)",
            ]
        )
        #expect(fitting.scenario.script.count == 7)
        #expect(fitting.scenario.expectations.map(\.formula.word) == ["eventually", "eventually"])
    }

    @Test("A client that takes other commands ends the script there, because they may depend on the skipped one")
    func withOtherCommands() throws {
        let fitting = try Self.fit(takes: ["open"], hasAdapter: true)
        #expect(fitting.scenario.script.count == 1)
        #expect(fitting.scenario.expectations.isEmpty)
    }
}
