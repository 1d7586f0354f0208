import Exploration
import ScenarioModel
import SquallCore
import Testing

@Suite("Actions, faults and events that an exploration has not covered")
struct UnmetTests {
    @Test("An action, a fault or an event is listed as uncovered until it has occurred in a run")
    func untilShown() {
        let before = Unexercised(features: [])
        #expect(before.actions.contains("user.open"))
        #expect(before.actions.contains("network.stall"))
        #expect(before.events.contains("client.crashed"))
        let shown = ["user.open", "fault.began stall", "client.crashed"].map { Feature(state: "connected", event: $0) }
        let after = Unexercised(features: Set(shown))
        #expect(Set(before.actions).subtracting(after.actions) == ["user.open", "network.stall"])
        #expect(Set(before.events).subtracting(after.events) == ["client.crashed", "fault.began"])
    }
}
