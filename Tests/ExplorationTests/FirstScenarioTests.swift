import Exploration
import ScenarioLanguage
import Squall
import SquallCore
import Testing

/// Tests that every scenario that `squall new` generates is valid, passes, and is proven able to fail.
@Suite("Scenarios generated from three answers")
struct FirstScenarioTests {
    @Test(
        "Every answer to the questions of 'new' gives a scenario that passes and can fail",
        arguments: FirstScenario.Weather.allCases
    )
    func everyAnswer(_ weather: FirstScenario.Weather) async throws {
        for trigger in FirstScenario.Trigger.allCases {
            let scenario = FirstScenario(weather, trigger)
            let goals = try FirstScenarioFile.goals(of: scenario)
            #expect(!goals.isEmpty, "\(weather) \(trigger)")
            for goal in goals {
                let text = FirstScenarioFile.text(scenario, goal)
                let read = try #require(try Suite.load(SourceText(file: "first.yaml", text: text)).first)
                let findings = try ScenarioAudit.findings(of: read, seed: Seed(1), prove: true, races: false)
                #expect(findings == [], "\(text)")
            }
        }
    }

    @Test(
        "Except for a portal, the scenario expects the message delivered and the client connected",
        arguments: FirstScenario.Weather.allCases
    )
    func survived(_ weather: FirstScenario.Weather) throws {
        // A client behind a captive portal stays there until the user logs in.
        guard weather != .portal else { return }
        for trigger in FirstScenario.Trigger.allCases {
            let goals = try FirstScenarioFile.goals(of: FirstScenario(weather, trigger))
            #expect(goals.contains(.message) && goals.contains(.connected), "\(weather) \(trigger): \(goals)")
        }
    }

    @Test("The scenarios for a drop, a blackhole and a restart expect a notice to the user")
    func notices() throws {
        for weather in [FirstScenario.Weather.drop, .blackhole, .restart] {
            let goals = try FirstScenarioFile.goals(of: FirstScenario(weather, .idle))
            #expect(goals.contains(.notice), "\(weather)")
        }
    }
}
