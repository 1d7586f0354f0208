import ChatWire
import FakeServer
import Faults
import ReferenceClient
import ScenarioModel
import Simulation
import SquallCore
import TemporalLogic
import Testing
import Trace

/// Tests runs in virtual time, with scenarios built in Swift.
@Suite struct SimulatedWorldTests {
    private static let here = SquallCore.SourceLocation(file: "by-hand.yaml", line: 1, column: 1)

    private static func step(_ actor: Actor, _ verb: String, _ operation: Stimulus.Operation, label: String? = nil)
        -> Step
    {
        Step(
            .act(Stimulus(actor: actor, verb: verb, operation: operation, arguments: Arguments(label: label))),
            location: here
        )
    }

    private static let connected = Condition.state(
        ObservablePredicate(ObservableReference("connection.state"), .equals("connected"))
    )

    /// Returns a scenario in which the confirmation of a message is lost.
    private static func dropped() throws -> Scenario {
        let swallow = try #require(
            try ServerAction(verb: "swallow", Arguments([(name: "frame", value: .text("confirm"))]))
        )
        let drop = try #require(try Fault(verb: "drop", Arguments()))
        let delivered = Condition.state(
            ObservablePredicate(ObservableReference("message.status", key: .one("hello")), .equals("delivered"))
        )
        let stored = EventPattern("server.stored", key: "hello")
        return Scenario(
            file: "by-hand.yaml",
            name: "A message whose confirmation is lost is stored once",
            script: [
                step(.user, "open", .client(.open(conversation: "stukov"))),
                Step(.wait(connected, next: false, within: .seconds(10)), location: here),
                step(.server, "swallow", .server(swallow)),
                step(
                    .user,
                    "send",
                    .client(.send(conversation: nil, text: "hello", label: "hello")),
                    label: "hello"
                ),
                Step(.wait(.event(stored), next: true, within: .seconds(5)), location: here),
                step(.network, "drop", .begin(drop)),
                Step(.wait(connected, next: true, within: .seconds(20)), location: here),
            ],
            expectations: [
                Expectation(.eventually(delivered), bound: .seconds(20), location: here),
                Expectation(.count(.event(stored), .exactly(1), inAny: nil), location: here),
                Expectation(
                    .delivered(
                        Delivery(
                            conversation: "stukov",
                            lost: .exactly(0),
                            duplicated: .exactly(0),
                            reordered: .exactly(0)
                        )
                    ),
                    location: here
                ),
            ]
        )
    }

    private func verdict(_ plan: RunPlan) -> (verdict: CaseVerdict, why: [String], result: RunResult) {
        let result = SimulatedWorld.play(plan)
        let judged = CaseResult(result, of: plan, world: .sim, wall: .zero)
        return (judged.verdict, judged.expectations.compactMap(\.why), result)
    }

    @Test("A message whose confirmation was lost is delivered once")
    func aMessageWhoseConfirmWasLostIsDeliveredOnce() throws {
        let (verdict, why, result) = verdict(RunPlan(try Self.dropped()))
        #expect(verdict == .pass, "\(why.joined(separator: "\n"))\n\(text(result))")
    }

    @Test("A client that sends frames before authentication fails the run")
    func aClientThatSpeaksBeforeItIsLetInIsCaught() throws {
        var plan = RunPlan(try Self.dropped())
        #expect(plan.add(defect: "sendsBeforeAuth") == true)
        let (verdict, _, result) = verdict(plan)
        #expect(verdict == .fail, "\(text(result))")
    }

    @Test("The same seed gives the same trace, and a different seed a different trace")
    func theSameSeedGivesTheSameTraceAndAnotherSeedAnother() throws {
        let scenario = try Self.dropped()
        let first = SimulatedWorld.play(RunPlan(scenario, seed: Seed(7)))
        let second = SimulatedWorld.play(RunPlan(scenario, seed: Seed(7)))
        #expect(first.digest == second.digest)
        #expect(first.recording == second.recording)
        #expect(SimulatedWorld.play(RunPlan(scenario, seed: Seed(8))).digest != first.digest)
    }

    /// The expectations keep reopening each other's scopes forever.
    @Test("A run that never settles ends an hour after its script")
    func aRunThatNeverSettlesEndsAnHourAfterItsScript() throws {
        let ping = Condition.event(EventPattern("client.sent.ping"))
        let pong = Condition.event(EventPattern("client.received.pong"))
        var scenario = try Self.dropped()
        scenario.script.append(Step(.pause(.seconds(35)), location: Self.here))
        scenario.expectations = [
            Expectation(
                .never(.event(EventPattern("client.crashed"))),
                scope: .between(ping, pong),
                bound: .seconds(40),
                location: Self.here
            ),
            Expectation(
                .never(.event(EventPattern("client.crashed"))),
                scope: .between(pong, ping),
                bound: .seconds(40),
                location: Self.here
            ),
        ]
        let result = SimulatedWorld.play(RunPlan(scenario))
        let length = result.recording.end - Instant.zero
        #expect(length > .seconds(3600) && length < .seconds(3700), "\(length)")
        #expect(CaseResult(result, of: RunPlan(scenario), world: .sim, wall: .zero).verdict == .inconclusive)
    }

    @Test("A cancelled run ends and is inconclusive")
    func aCancelledRunIsInconclusive() throws {
        var scenario = try Self.dropped()
        scenario.script.append(Step(.pause(.seconds(100 * 3600)), location: Self.here))
        let plan = RunPlan(scenario)
        let result = SimulatedWorld.play(plan) { true }
        #expect(result.recording.end < Instant.zero + .seconds(100 * 3600))
        let judged = CaseResult(result, of: plan, world: .sim, wall: .zero)
        #expect(judged.verdict == .inconclusive)
        #expect(judged.expectations.first?.why == "interrupted")
    }

    private func text(_ result: RunResult) -> String {
        String(decoding: TraceCodec.encode(result.recording), as: UTF8.self)
    }

    @Test("A run may last a week, and only endless steps at one instant are a livelock")
    func aLongRunIsNone() throws {
        var scenario = try Self.dropped()
        scenario.script.append(Step(.pause(.seconds(7 * 24 * 3600)), location: Self.here))
        let result = SimulatedWorld.play(RunPlan(scenario))
        #expect(result.recording.ending.abandoned == nil)
        #expect(result.recording.ending.isFinished)
    }

    @Test("A planted defect changes the client but not the bounds that the client is judged by")
    func invariantsStandAsMeant() throws {
        let sound = RunPlan(try Self.dropped())
        var broken = sound
        let isKnown = broken.add(defect: "tcpTimeoutOnly")
        #expect(isKnown)
        #expect(broken.scenario.profile.client != sound.scenario.profile.client)
        #expect(broken.invariantSettings.deadTime == sound.invariantSettings.deadTime)
        #expect(broken.invariantSettings.pongLimit == sound.invariantSettings.pongLimit)
    }
}
