import SquallTesting
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ScenarioTests {
    /// Every file of `Scenarios`, a test a case.
    @Test(arguments: try Scenarios.cases(in: "Scenarios"))
    func weather(_ scenario: ScenarioCase) async throws {
        try await scenario.play { TinyChatUnderTest() }.expectPass()
    }

    /// The scenarios themselves say what they mean: Squall's own client passes them, in virtual time and over sockets.
    @Test(arguments: try Scenarios.cases(in: "Scenarios"), ScenarioWorld.allCases)
    func holds(_ scenario: ScenarioCase, in world: ScenarioWorld) async throws {
        try await scenario.play(in: world).expectPass()
    }
}
