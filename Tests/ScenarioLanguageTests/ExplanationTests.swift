import FakeServer
import ReferenceClient
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests the output of `squall explain`.
@Suite struct ExplanationTests {
    @Test(
        "squall explain shows the meaning of every name in the registry",
        arguments: Registry.entries.map(\.name) + Registry.actions.map(\.verb)
    )
    func explainsNames(_ name: String) throws {
        let text = try Explanation.explain(name)
        let meanings =
            Registry.entries.filter { $0.name == name }.map(\.meaning)
            + Registry.actions.filter { $0.verb == name }.map(\.meaning)
        // The first letter is not compared, because the explanation capitalizes it.
        #expect(meanings.allSatisfy { text.contains($0.dropFirst()) })
    }

    @Test(
        "squall explain has a text for every keyword, field, defect and profile",
        arguments: Profile.fields.map(\.name) + InvariantName.allCases.map(\.rawValue) + Defect.all.map(\.name)
            + ServerDefect.all.map(\.name) + ScenarioReader.words + ProfileReader.names
    )
    func explainsWords(_ word: String) throws {
        #expect(try Explanation.explain(word).count > word.count + 10)
    }

    @Test("squall explain shows the kind, the values, the defaults and an example")
    func explainsWithValuesAndExamples() throws {
        let state = try Explanation.explain("connection.state")
        #expect(state.contains("an observable, reported by the client"))
        #expect(state.contains("captive_portal, draining"))
        #expect(state.contains("- wait: { connection.state: idle }"))
        let restart = try Explanation.explain("restart")
        #expect(
            restart.contains(
                "down: the time until the server listens again (a duration, required, may follow the verb without its name)"
            )
        )
        #expect(restart.contains("- server: { restart: 5s }"))
        let value = try Explanation.explain("$reconnect.max_attempts")
        #expect(value.contains("chat-ux       10"))
        #expect(value.contains("voice         20"))
        #expect(try Explanation.explain("wire.frames").contains("templates under 'client' and 'server'"))
        #expect(try Explanation.explain("op-frames").contains("t: MESSAGE_CREATE"))
        let backoff = try Explanation.explain("client.backoff.began#3")
        #expect(backoff.contains("Measured, so never compared: delay."))
        #expect(try Explanation.explain("UX-2.2h").contains("noIdempotencyKey"))
        #expect(try Explanation.explain("confirm").contains("server.sent.confirm[message]"))
        #expect(try Explanation.explain("anna.connected").contains("client.connected: an event"))
        #expect(try Explanation.explain("client.sent").contains("client.sent.ping"))
    }

    @Test("squall explain lists all names of a category")
    func listsAllOfAKind() throws {
        let observables = try Explanation.explain("observables")
        #expect(Registry.observables.allSatisfy { observables.contains($0.name) })
        let events = try Explanation.explain("events")
        #expect(Registry.events.allSatisfy { events.contains($0.name) })
        let actions = try Explanation.explain("actions")
        #expect(Registry.actions.allSatisfy { actions.contains($0.verb) })
        let defects = try Explanation.explain("defects")
        #expect(Defect.all.allSatisfy { defects.contains($0.name) })
        #expect(ServerDefect.all.allSatisfy { defects.contains($0.name) })
        let profile = try Explanation.explain("profile")
        #expect(Profile.fields.allSatisfy { profile.contains($0.name) })
        #expect(try Explanation.explain("faults").contains("blackhole"))
        #expect(try Explanation.explain("profiles").contains("chat-ux"))
        #expect(try Explanation.explain("invariants").contains("liveness"))
        #expect(try Explanation.explain("words").contains("leads_to"))
    }

    @Test(
        "For an unknown word, squall explain suggests a similar word or names the available lists",
        arguments: [
            ("conection.state", "did you mean 'connection.state'?"),
            ("restrt", "did you mean 'restart'?"),
            ("above", "in a scenario, write 'more_than'"),
            ("zzzzzzzz", "the lists are: actions, adapter, defects"),
            ("", "the lists are: actions, adapter, defects"),
        ]
    )
    func unknownWords(_ word: String, _ help: String) {
        let error = #expect(throws: Explanation.UnknownWord.self) { try Explanation.explain(word) }
        #expect(error?.message.contains(help) == true)
    }

    /// The examples in explanations must be valid.
    @Test(
        "The examples that squall explain shows for a name are valid in a scenario",
        arguments: Registry.entries.filter { $0.kind != .fault }.map(\.name)
    )
    func examplesOfNamesRead(_ name: String) throws {
        let lines = try Explanation.explain(name).split(separator: "\n").map { $0.drop { $0 == " " } }
        let waits = lines.filter { $0.hasPrefix("- wait:") }
        let expectations = lines.filter { $0.hasPrefix("- eventually:") || $0.hasPrefix("- leads_to:") }
        #expect(!waits.isEmpty && !expectations.isEmpty)
        let body = """
            script:
              - user: { open: stukov }
              - user: { send: hi, as: hello }
              - user: { share: a.jpg, bytes: 1, as: photo }
              - network: { stall: {}, as: tunnel }
              - server: { hold: pong, as: stukov }
              - server: { rule: { on: ping, reply: { type: pong } }, as: greeting }
              \(waits.joined(separator: "\n  "))
            expect:
              \(expectations.joined(separator: "\n  "))
            """
        #expect(!scenarios(body).isEmpty)
    }

    @Test(
        "The example that squall explain shows for an action is valid in a scenario",
        arguments: Registry.actions.filter { !["say", "rule"].contains($0.verb) }
    )
    func examplesOfActionsRead(_ action: ActionEntry) throws {
        let lines = try Explanation.explain(action.verb).split(separator: "\n").map { $0.drop { $0 == " " } }
        let example = try #require(lines.first { $0.hasPrefix("- \(action.actor.rawValue): ") })
        let body = """
            server: { tls: true }
            script:
              - user: { open: stukov }
              - user: { send: hi, as: hello }
              - user: { share: a.jpg, bytes: 1, as: photo }
              - network: { stall: {}, as: tunnel }
              - server: { hold: pong, as: stukov }
              - server: { rule: { on: ping, reply: { type: pong } }, as: greeting }
              \(example)
            """
        #expect(!scenarios(body).isEmpty)
    }
}
