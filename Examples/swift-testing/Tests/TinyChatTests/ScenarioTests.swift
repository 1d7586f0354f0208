import SquallTesting
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ScenarioTests {
    @Test("TinyChat passes each scenario", arguments: try Scenarios.cases(in: "Scenarios"))
    func weather(_ scenario: ScenarioCase) async throws {
        try await scenario.play { TinyChatUnderTest() }.expectPass()
    }

    @Test(
        "Squall's own client passes each scenario",
        arguments: try Scenarios.cases(in: "Scenarios"), ScenarioWorld.allCases
    )
    func holds(_ scenario: ScenarioCase, in world: ScenarioWorld) async throws {
        try await scenario.play(in: world).expectPass()
    }
}
