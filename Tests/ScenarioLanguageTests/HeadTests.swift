import FakeServer
import ReferenceClient
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests the keys that precede a scenario's script.
@Suite struct HeadTests {
    @Test("A scenario with only a name uses defaults for all other keys")
    func leastThatAScenarioNeeds() throws {
        let least = try scenario("")
        #expect(least.file == "test.yaml")
        #expect(least.name == "A test")
        #expect(least.variant == nil)
        #expect(least.profile == Profile())
        #expect(least.tags.isEmpty)
        #expect(least.clients == [.only])
        #expect(least.script.isEmpty)
        #expect(least.expectations.isEmpty)
        #expect(least.waivers.isEmpty)
        #expect(least.playOn == .zero)
        #expect(least.worlds == .both)
    }

    @Test("Every key in the head of a scenario is parsed")
    func everyKey() throws {
        let whole = try scenario(
            """
            profile: chat-ux
            tags: [reconnection, smoke, smoke]
            clients: [anna, ben]
            set: { heartbeat.interval: 10s, heartbeat: { pong_limit: 3s } }
            server: { replay: { messages: 10, age: 1h }, page.size: 7 }
            script: []
            expect: []
            invariants: { waive: { order: "two devices of one user" } }
            play_on: 60s
            within: 7s
            worlds: [sim]
            why: it needs two days
            """
        )
        #expect(whole.profile.name == "chat-ux")
        #expect(whole.profile.client.reconnect.maxAttempts == 10)
        #expect(whole.profile.client.heartbeat.interval == .seconds(10))
        #expect(whole.profile.client.heartbeat.pongLimit == .seconds(3))
        #expect(whole.profile.server.replay.maxCount == 10)
        #expect(whole.profile.server.replay.maxAge == .seconds(3600))
        #expect(whole.profile.server.page.size == 7)
        #expect(whole.tags == ["reconnection", "smoke"])
        #expect(whole.clients == [ClientID("anna"), ClientID("ben")])
        #expect(whole.waivers == [Scenario.Waiver(invariant: "order", reason: "two devices of one user")])
        #expect(whole.playOn == .seconds(60))
        #expect(whole.worlds == .simOnly(why: "it needs two days"))
    }

    @Test("A profile given by the caller replaces the profile named in the file")
    func otherProfileThanTheFiles() throws {
        let source = SourceText(file: "f.yaml", text: "squall: 1\nname: n\nprofile: voice\n")
        #expect(try ScenarioReader.read(source, profile: "polish").get().first?.profile.name == "polish")
        #expect(throws: ScenarioMistakes.self) { try ScenarioReader.read(source, profile: "polsh").get() }
    }

    @Test("The key 'worlds' restricts a scenario to one world for a given reason")
    func worlds() throws {
        #expect(try scenario("worlds: [live]\nwhy: sockets").worlds == .liveOnly(why: "sockets"))
        #expect(try scenario("worlds: [live, sim]").worlds == .both)
        #expect(try scenario("worlds: sim\nwhy: fast").worlds == .simOnly(why: "fast"))
    }

    @Test("A number after a client's name creates a group of that many clients")
    func groupsOfClients() throws {
        #expect(
            try scenario("clients: { anna: 1, crowd: 3 }").clients.map(\.name) == [
                "anna", "crowd-1", "crowd-2", "crowd-3",
            ]
        )
    }

    @Test("The default bound of an expectation comes from the file, or else from the profile")
    func boundOfTheFileAndOfTheProfile() throws {
        let body = "expect:\n  - eventually: client.connected"
        #expect(try scenario(body).expectations.first?.bound == Profile().expectWithin)
        #expect(try scenario("within: 7s\n\(body)").expectations.first?.bound == .seconds(7))
        #expect(try scenario("set: { expect.within: 8s }\n\(body)").expectations.first?.bound == .seconds(8))
        #expect(
            try scenario("within: $heartbeat.interval\n\(body)").expectations.first?.bound
                == Profile().client.heartbeat.interval
        )
    }

    @Test("A setting can refer to a setting before it")
    func valuesBuildOnEachOther() throws {
        let profile = try scenario("set: { reconnect.base: 3s, reconnect.cap: $reconnect.base + 4s }").profile
        #expect(profile.client.reconnect.cap == .seconds(7))
    }
}
