import ChatWire
import FakeServer
import Faults
import ReferenceClient
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests the steps of a script: actor, action and anchor.
@Suite struct ScriptTests {
    @Test(
        "All notations of an action give the same step",
        arguments: [
            "user: { send: hi, to: stukov, as: hello }",
            "user: { send: { text: hi, to: stukov }, as: hello }",
            "user: { send: { text: hi }, to: stukov, as: hello }",
            "user: { as: hello, send: hi, to: stukov }",
            "{ user: { send: hi, to: stukov }, as: hello }",
        ]
    )
    func formsOfAnAction(_ step: String) throws {
        let steps = try script("  - \(step)")
        let command = ClientCommand.send(conversation: "stukov", text: "hi", label: "hello")
        let stimulus = try #require(steps.first?.stimulus)
        #expect(steps.count == 1)
        #expect(stimulus.operation == .client(command))
        #expect(stimulus.arguments == Arguments([("text", .text("hi")), ("to", .text("stukov"))], label: "hello"))
        #expect(steps.first?.location.description == "test.yaml:4:5")
        #expect(steps.first?.anchor == nil)
    }

    @Test("A verb without arguments needs no mapping")
    func verbsAlone() throws {
        let steps = try script(
            """
              - device: background
              - network: drop
              - server: { stop: }
              - server: { start: {} }
              - network: heal_all
            """
        )
        #expect(
            steps.compactMap(\.stimulus).map(\.name) == [
                "device.background", "network.drop", "server.stop", "server.start", "network.heal_all",
            ]
        )
        #expect(steps.last?.stimulus?.operation == .healAll)
    }

    @Test("A fault is healed by its label or by its verb")
    func faultsAndTheirEnds() throws {
        let steps = try script(
            """
              - network: { blackhole: { for: 5s } }
                as: tunnel
              - network: { heal: tunnel }
              - network: stall
              - network: { heal: stall }
            """
        )
        guard case .begin(let fault)? = steps[0].stimulus?.operation else {
            Issue.record("no fault")
            return
        }
        #expect(fault.verb == "blackhole")
        #expect(fault.duration == .seconds(5))
        #expect(steps[0].stimulus?.label == "tunnel")
        #expect(steps[1].stimulus?.operation == .heal(label: "tunnel"))
        #expect(steps[3].stimulus?.operation == .heal(label: "stall"))
    }

    /// `offline` and `handoff` are the labels of the faults that these device actions start.
    @Test("A scope can name the faults that offline and handoff start")
    func faultsWithoutAStepOfTheirOwn() throws {
        let body = """
            script:
              - device: { network: off }
              - device: handoff
            expect:
              - never: { toast.text: hi, during: offline }
              - never: { toast.text: hi, during: handoff }
            """
        #expect(try scenario(body).expectations.map(\.scope) == [.during(fault: "offline"), .during(fault: "handoff")])
    }

    @Test("A hold is released by its label or its frame type, in a given order")
    func holdsAreReleasedByLabelFrameOrRoute() throws {
        let steps = try script(
            """
              - server: { hold: confirm, as: later }
              - server: { hold: message }
              - server: { release: later, order: reversed }
              - server: { release: { label: message, order: [1, 0] } }
            """
        )
        #expect(steps[2].stimulus?.operation == .server(.release(label: "later", .reversed)))
        #expect(steps[3].stimulus?.operation == .server(.release(label: "message", .positions([1, 0]))))
    }

    @Test("The messages of one post are named by its label and a number")
    func messagesOfOnePost() throws {
        let body = """
            script:
              - server: { post: { to: stukov, count: 3 }, as: news }
              - server: { post: stukov, as: last }
            expect:
              - eventually: { view.rows: [news-1, news-2, news-3, last] }
              - never: { "message.status[news-2]": failed }
            """
        #expect(try scenario(body).expectations.count == 2)
    }

    @Test("'say' accepts any JSON value or a text")
    func anyValueWhereJSONIsAskedFor() throws {
        let steps = try script(
            """
              - server: { say: { type: surprise, count: 1, share: 0.5, more: [on, null, true, "1"] } }
              - server: { say: { json: { type: pong } } }
              - server: { say: { text: "not JSON" } }
            """
        )
        let odd: JSON = [
            "type": "surprise", "count": 1, "share": .number(try #require(JSONNumber("0.5"))),
            "more": ["on", nil, true, "1"],
        ]
        #expect(steps[0].stimulus?.operation == .server(.say(.json(odd), client: nil)))
        #expect(steps[1].stimulus?.operation == .server(.say(.json(["type": "pong"]), client: nil)))
        #expect(steps[2].stimulus?.operation == .server(.say(.text("not JSON"), client: nil)))
    }

    // MARK: - Waits

    @Test("A wait with a duration is a pause")
    func pauses() throws {
        let steps = try script("  - wait: 1.5s\n  - wait: $heartbeat.pong_limit + 500ms\n  - wait: \"2s\"")
        let spans = steps.map { step in
            if case .pause(let span) = step.kind { span } else { TimeSpan.zero }
        }
        #expect(spans == [.milliseconds(1500), Profile().client.heartbeat.pongLimit + .milliseconds(500), .seconds(2)])
    }

    @Test(
        "A wait takes a state, and with 'next' the wait needs the state to begin",
        arguments: [
            ("wait: { connection.state: connected, within: 5s }", false),
            ("{ wait: { connection.state: connected }, within: 5s }", false),
            ("wait: { next: { connection.state: connected }, within: 5s }", true),
            ("{ wait: { next: { connection.state: connected } }, within: 5s }", true),
        ]
    )
    func levelsAndEdges(_ step: String, _ isEdge: Bool) throws {
        guard case .wait(let condition, let next, let within)? = try script("  - \(step)").first?.kind else {
            Issue.record("no wait")
            return
        }
        #expect(condition == .state(connected))
        #expect(next == isEdge)
        #expect(within == .seconds(5))
    }

    @Test("A wait takes an event with an ordinal and an offset")
    func waitForAnEvent() throws {
        guard
            case .wait(let condition, false, let within)? = try script("  - wait: client.connected#2 + 1s").first?.kind
        else {
            Issue.record("no wait")
            return
        }
        #expect(condition == .event(EventPattern("client.connected", ordinal: 2), offset: .seconds(1)))
        #expect(within == Profile().expectWithin)
    }

    // MARK: - Anchored steps

    @Test("'at' anchors a step to a time, an event or a state")
    func anchors() throws {
        let steps = try script(
            """
              - network: drop
                at: 12s
              - network: { heal: later }
                at: client.backoff.began#3 + 500ms
              - user: { retry: hello }
                at: { "message.status[hello]": failed }
              - user: { send: hi, to: stukov, as: hello }
              - network: blackhole
                as: later
                at: "server.stored[hello]"
            """
        )
        guard case .time(let time)? = steps[0].anchor, case .event(let backoff)? = steps[1].anchor,
            case .event(let failed)? = steps[2].anchor, case .event(let stored)? = steps[4].anchor
        else {
            Issue.record("anchors are missing")
            return
        }
        #expect(time == .zero + .seconds(12))
        #expect(backoff == .event(EventPattern("client.backoff.began", ordinal: 3), offset: .milliseconds(500)))
        #expect(
            failed
                == .state(
                    ObservablePredicate(ObservableReference("message.status", key: .one("hello")), .equals("failed"))
                )
        )
        #expect(stored == .event(EventPattern("server.stored", key: "hello")))
        #expect(steps[3].anchor == nil)
    }
}
