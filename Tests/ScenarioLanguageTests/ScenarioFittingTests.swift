import Adapter
import ChatWire
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing
import Trace

/// Tests which parts of a scenario can run with a client of limited capabilities, and why others are skipped.
@Suite struct ScenarioFittingTests {
    private static func fit(
        _ body: String,
        shows: [String] = [],
        takes: [String] = [],
        states: [AdapterCapabilities.State] = [],
        hasOwnServer: Bool = true
    ) throws -> ScenarioFitting {
        let offer = AdapterCapabilities(name: "acme", shows: shows, takes: takes, states: states)
        return ScenarioFitting(
            try scenario(body),
            to: ForeignPlan(hasAdapter: !shows.isEmpty || !takes.isEmpty, offer: offer),
            hasOwnServer: hasOwnServer
        )
    }

    private static func reasons(_ fitting: ScenarioFitting) -> [String] {
        fitting.skipped.map { "\($0.word): \($0.why ?? "")" }
    }

    private static let dropped = """
        script:
          - user: { open: stukov }
          - wait: { connection.state: connected }
          - network: drop
          - wait: { next: client.connected }
        expect:
          - never: { connection.state: offline }
          - count: { of: client.attempt.began, at_most: 2 }
          - count: { of: server.accepted, at_most: 2 }
        """

    @Test("A client that reports every observable used is judged by the whole scenario")
    func aClientThatShowsAllIsJudgedInFull() throws {
        let fitting = try Self.fit(Self.dropped, shows: ["connection.state"], takes: ["open"])
        #expect(fitting.skipped.isEmpty)
        #expect(fitting.scenario.script.count == 4)
        #expect(fitting.scenario.expectations.count == 3)
    }

    @Test("For a client observed only on the wire, connections and attempts are judged and states are skipped")
    func fromTheWireAloneConnectionsAreWaitedForAndAttemptsCounted() throws {
        let fitting = try Self.fit(Self.dropped)
        #expect(
            Self.reasons(fitting) == [
                "never: only the client could report connection.state, and it is judged only from the wire"
            ]
        )
        guard case .wait(let condition, let next, _) = fitting.scenario.script[1].kind else {
            Issue.record("the wait is missing")
            return
        }
        #expect(condition.state.levels.map(\.observable.name) == ["link.state"])
        #expect(!next)
        #expect(fitting.scenario.expectations.count == 2)
    }

    /// The client does not support `send`, so no message is stored. This must not count as a failure of the client.
    @Test("The script ends at a wait for the effect of a skipped command")
    func aWaitForASkippedCommandsEffectEndsTheScript() throws {
        let fitting = try Self.fit(
            """
            script:
              - wait: { connection.state: connected }
              - user: { send: { to: stukov, text: hello } }
              - network: drop
              - wait: { next: server.stored }
              - network: drop
            """
        )
        #expect(fitting.scenario.script.count == 2)
        #expect(
            Self.reasons(fitting) == [
                "user: send: this client takes no commands, so it cannot perform 'send'",
                "wait: server.stored depends on 'send', which this client does not support",
            ]
        )
    }

    @Test("The script ends at a wait for an observable that the client does not report")
    func aWaitForAnUnshownObservableEndsTheScript() throws {
        let fitting = try Self.fit(
            """
            script:
              - wait: { toast.text: "Hello" }
              - network: drop
            expect:
              - eventually: server.accepted
            """,
            shows: ["connection.state"]
        )
        #expect(fitting.scenario.script.isEmpty)
        #expect(fitting.scenario.expectations.isEmpty)
        #expect(
            Self.reasons(fitting) == [
                "wait: the client does not show toast.text",
                "eventually: the script was played up to line 4 only: the client does not show toast.text",
            ]
        )
    }

    @Test("Expectations about the effects of a skipped send are skipped")
    func effectsOfASkippedSendAreNotExpected() throws {
        let fitting = try Self.fit(
            """
            script:
              - user: { send: "hi", to: stukov, as: hello }
              - network: { stall: { for: 2s }, as: tunnel }
            expect:
              - count: { of: "server.stored[hello]", exactly: 1 }
              - count: { of: server.stored, exactly: 1 }
              - count: { of: server.accepted, exactly: 1 }
            """,
            shows: ["connection.state"]
        )
        #expect(fitting.scenario.script.count == 1)
        #expect(fitting.scenario.expectations.count == 1)
        #expect(
            Self.reasons(fitting) == [
                "user: send: this client takes no commands, so it cannot perform 'send'",
                "count: nothing has the label 'hello': this client takes no commands, so it cannot perform 'send'",
                "count: server.stored depends on 'send', which this client does not support",
            ]
        )
    }

    @Test("The script ends at a skipped command that may affect everything after it")
    func aCommandThatMayBearUponEverythingEndsTheScript() throws {
        let fitting = try Self.fit(
            """
            script:
              - device: { network: off }
              - network: drop
            expect:
              - eventually: server.accepted
            """,
            takes: ["send"]
        )
        #expect(fitting.scenario.script.isEmpty)
        #expect(
            Self.reasons(fitting) == [
                "device: network: the client does not take 'network'",
                "eventually: the script was played up to line 4 only: the client does not take 'network'",
            ]
        )
    }

    @Test("Killing and suspending a client require a process but no adapter")
    func killingAndSuspendingNeedAProcessAndNoAdapter() throws {
        let body = """
            script:
              - device: { kill: { down: 1s } }
              - device: { suspend: 1s }
            expect:
              - eventually: client.killed
            """
        #expect(try Self.fit(body).skipped.isEmpty)
        let byHand = ScenarioFitting(
            try scenario(body),
            to: ForeignPlan(hasAdapter: false, home: .elsewhere)
        )
        #expect(Self.reasons(byHand).first == "device: kill: a person runs this client, not Squall")
    }

    @Test("Expectations ignore states that the client does not have")
    func aStateThatTheClientHasNoWordForIsNotExpected() throws {
        let states = [
            AdapterCapabilities.State("OPEN", "connected"), AdapterCapabilities.State("CLOSED", "reconnecting"),
        ]
        let body = """
            script:
              - network: drop
            expect:
              - never: { connection.state: offline }
              - eventually: { connection.state: { one_of: [offline, reconnecting] }, within: 5s }
            """
        let mapped = try Self.fit(body, shows: ["connection.state"], states: states)
        #expect(Self.reasons(mapped) == ["never: the client's states do not include connection.state offline"])
        #expect(try Self.fit(body, shows: ["connection.state"]).skipped.isEmpty)
    }

    @Test("Expectations about events that a fault may hide from the wire are skipped")
    func eventsHiddenFromTheWireAreNotJudged() throws {
        let body = """
            script:
              - EVENT
            expect:
              - never: client.attempt.began#2
              - count: { of: client.sent.ping, at_least: 1 }
            """
        let silent = try Self.fit(body.replacing("EVENT", with: "network: { stall: { for: 2s } }"))
        #expect(
            Self.reasons(silent) == [
                "never: client.attempt.began may not be visible on the wire during network.stall",
                "count: client.sent.ping may not be visible on the wire during network.stall",
            ]
        )
        let down = try Self.fit(body.replacing("EVENT", with: "server: { restart: { down: 2s } }"))
        #expect(
            Self.reasons(down) == ["never: client.attempt.began may not be visible on the wire during server.restart"]
        )
        let told = try Self.fit(
            body.replacing("EVENT", with: "server: { restart: { down: 2s } }"),
            shows: ["client.attempt"]
        )
        #expect(told.skipped.isEmpty)
        #expect(try Self.fit(body.replacing("EVENT", with: "network: drop")).skipped.isEmpty)
    }

    /// If a fault prevents Squall from reading a connection, it cannot observe the connection attempt either.
    @Test(
        "Expectations about attempts that a fault hides from the wire are skipped",
        arguments: [
            ("network: { accept_then_close: rst }", "network.accept_then_close", false),
            ("network: { certificate: expired }", "network.certificate", true),
            ("network: { handshake: fail }", "network.handshake", true),
            ("network: { handshake: stall }", "network.handshake", true),
            ("network: { captive_portal: reset }", "network.captive_portal", false),
            ("network: captive_portal", "network.captive_portal", true),
            ("network: { reset_peer: { for: 5s } }", "network.reset_peer", false),
            ("network: { flap: { up: 1s, down: 1s, outage: refuse } }", "network.flap", false),
            ("device: { network: off }", "device.network", false),
            ("device: handoff", "device.handoff", false),
        ]
    )
    func anAttemptThatTheWireCannotShowIsNotJudged(_ step: String, _ name: String, isUnderTLS: Bool) throws {
        let head = isUnderTLS ? "server: { tls: true }\n" : ""
        let fitted = try Self.fit(
            "\(head)script:\n  - \(step)\nexpect:\n  - count: { of: client.attempt.began, at_most: 2 }",
            takes: ["network", "handoff"]
        )
        #expect(Self.reasons(fitted) == ["count: client.attempt.began may not be visible on the wire during \(name)"])
    }

    @Test(
        "Expectations about attempts that stay visible on the wire are judged",
        arguments: [
            "network: captive_portal", "network: reset_peer", "network: { upgrade_status: 503 }",
            "network: { latency: 1s }", "device: { network: on }",
        ]
    )
    func anAttemptThatTheWireShowsIsJudged(_ step: String) throws {
        let fitted = try Self.fit(
            "script:\n  - \(step)\nexpect:\n  - count: { of: client.attempt.began, at_most: 2 }",
            takes: ["network", "handoff"]
        )
        #expect(fitted.skipped.isEmpty, "\(Self.reasons(fitted))")
    }

    @Test("A client keeps its own wire profile except for the protocol versions of the scenario")
    func aClientSpeaksItsOwnDialectAndHearsTheScenariosVersions() throws {
        let syntax = try scenario("profile: voice\nset: { wire.auth_version: 7 }")
        #expect(syntax.profile.wire != WireProfile())
        var expected = WireProfile()
        expected.version = syntax.profile.wire.version
        expected.authVersion = 7
        let plan = RunPlan(syntax).judging(ForeignPlan(hasAdapter: true), speaking: WireProfile())
        #expect(plan.scenario.profile.wire == expected)
        #expect(plan.clock == .wall)
    }

    @Test("'delivered' requires only that the client reports its list of messages")
    func deliveredNeedsTheListAndNoMore() throws {
        let body = """
            script:
              - user: { send: "hi", to: stukov, as: hello }
            expect:
              - delivered: { conversation: stukov, lost: 0 }
            """
        #expect(try Self.fit(body, shows: ["conversation.messages"], takes: ["send"]).skipped.isEmpty)
        #expect(
            Self.reasons(try Self.fit(body, shows: ["message.status"], takes: ["send"])) == [
                "delivered: the client does not show conversation.messages"
            ]
        )
    }

    @Test("A run lasts as long as the skipped expectations would have required")
    func theRunGoesOnForAsLongAsWhatIsLeftOutWouldHaveHeldIt() throws {
        let body = """
            script:
              - network: drop
            expect:
              - eventually: { toast.text: "Back", within: 12s }
              - EXPECTED
            """
        let counted = try Self.fit(
            body.replacing("EXPECTED", with: "count: { of: server.accepted, at_most: 2 }"),
            shows: ["connection.state"]
        )
        #expect(counted.scenario.playOn == .seconds(12))
        let bounded = try Self.fit(
            body.replacing("EXPECTED", with: "eventually: { server.accepted, within: 1s }"),
            shows: ["connection.state"]
        )
        #expect(bounded.scenario.playOn == .zero)
    }

    @Test("With an upstream server, the script ends at the first action of the fake server")
    func upstreamSkipsFakeServerActions() throws {
        let fitting = ScenarioFitting(
            try scenario(
                """
                server: { upstream: "ws://localhost:8080" }
                script:
                  - user: { send: "hi", to: stukov, as: hello }
                  - wait: { next: "server.received.send[hello]" }
                  - network: drop
                  - server: { restart: { down: 1s } }
                  - wait: { connection.state: connected }
                expect:
                  - eventually: "server.stored[hello]"
                """
            ),
            to: nil,
            hasOwnServer: false
        )
        #expect(fitting.scenario.script.count == 3)
        #expect(
            Self.reasons(fitting) == [
                "server: restart: the upstream server does not take actions",
                "eventually: the script was played up to line 8 only: the upstream server does not take actions",
            ]
        )
    }

    @Test("With an upstream server, only events on the wire are judged")
    func ofAnUpstreamServerOnlyTheWireIsSeen() throws {
        let fitting = try Self.fit(
            """
            server: { upstream: "http://localhost" }
            script:
              - wait: 1s
            expect:
              - eventually: server.sent.hello
              - never: server.rejected.connect
            """,
            hasOwnServer: false
        )
        #expect(
            Self.reasons(fitting) == [
                "never: server.rejected.connect is reported by Squall's own server only"
            ]
        )
    }

    @Test("A scenario with an upstream server runs only in the live world")
    func anUpstreamIsPlayedLiveAlone() throws {
        guard case .liveOnly = try scenario(#"server: { upstream: "ws://localhost:8080" }"#).worlds else {
            Issue.record("it would be played in virtual time")
            return
        }
    }

    @Test(
        "An invalid upstream address is an error that states the reason",
        arguments: [
            ("localhost:8080", "not a server address"),
            ("ftp://localhost", "unsupported scheme 'ftp'"), ("ws://:80", "no valid host and port"),
            ("ws://localhost:99999", "no valid host and port"),
            ("ws://me@localhost", "the server address contains a user name"),
            ("ws://::1:80", "no valid host and port"),
        ]
    )
    func aWrongUpstreamIsAMistake(_ address: String, _ message: String) {
        let told = complaints("server: { upstream: \"\(address)\" }")
        #expect(told.count == 1 && told[0].contains(message), "\(told)")
    }

    @Test(
        "Expectations about the observables of an image that was not sent are skipped",
        arguments: ["image.state[picture]", "message.kind[picture]", "image.progress[picture]", "preview.bytes"]
    )
    func observablesOfASkippedImageAreNotExpected(_ name: String) throws {
        let fitting = try Self.fit(
            """
            script:
              - user: { attach: { file: a.jpg, bytes: 1000, to: stukov } }
              - user: send_image
                as: picture
              - wait: 2s
            expect:
              - never: { "\(name)": null }
              - count: { of: server.requested.send, exactly: 1 }
              - eventually: { connection.state: connected }
            """,
            shows: ["connection.state", "image", "message.kind", "preview"]
        )
        #expect(fitting.scenario.expectations.count == 1, "\(Self.reasons(fitting))")
    }
}
