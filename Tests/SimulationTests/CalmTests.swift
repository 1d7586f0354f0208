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

/// Tests the calm period at the end of a run. When it is over, client and server must agree.
@Suite struct CalmTests {
    private static let here = SquallCore.SourceLocation(file: "by-hand.yaml", line: 1, column: 1)

    private static func step(_ actor: Actor, _ verb: String, _ operation: Stimulus.Operation, label: String? = nil)
        -> Step
    {
        Step(
            .act(Stimulus(actor: actor, verb: verb, operation: operation, arguments: Arguments(label: label))),
            location: here
        )
    }

    /// Returns a scenario in which a message arrives in the open conversation. The script ends 2 s later, and there are
    /// no expectations.
    private static func messageInOpenConversation(waiving waivers: [Scenario.Waiver] = []) throws -> Scenario {
        let connected = Condition.state(
            ObservablePredicate(ObservableReference("connection.state"), .equals("connected"))
        )
        let post = try #require(try ServerAction(verb: "post", Arguments([(name: "to", value: .text("stukov"))])))
        var scenario = Scenario(
            file: "by-hand.yaml",
            name: "A message arrives in the open conversation",
            script: [
                step(.user, "open", .client(.open(conversation: "stukov"))),
                Step(.wait(connected, next: false, within: .seconds(10)), location: here),
                step(.server, "post", .server(post)),
                Step(.pause(.seconds(2)), location: here),
            ]
        )
        scenario.waivers = waivers
        return scenario
    }

    private static func broken(_ result: RunResult) -> [String] {
        result.judgements.filter { $0.verdict == .fail }.map(\.word)
    }

    @Test("A client that never reports its read receipts fails two invariants and no expectation")
    func unreportedReading() throws {
        var plan = RunPlan(try Self.messageInOpenConversation())
        let isPlanted = plan.add(defect: "receiptNotSent")
        #expect(isPlanted)
        let result = SimulatedWorld.play(plan)
        #expect(Set(Self.broken(result)) == ["invariant convergence", "invariant told_to_the_server"])
        let why = result.judgements.compactMap(\.why).joined()
        #expect(why.contains("unread[stukov] is 0; the server counts 1"))
        #expect(result.recording.events.contains { $0.name == "run.compared" })
    }

    @Test("A final undisturbed period in which client and server agree adds nothing to the trace")
    func agreement() throws {
        let result = SimulatedWorld.play(RunPlan(try Self.messageInOpenConversation()))
        let waiver = Scenario.Waiver(invariant: "convergence", reason: "to compare")
        let withoutCalm = SimulatedWorld.play(RunPlan(try Self.messageInOpenConversation(waiving: [waiver])))
        #expect(Self.broken(result).isEmpty)
        #expect(result.digest == withoutCalm.digest)
        #expect(result.recording.events == withoutCalm.recording.events)
        #expect(result.recording.end == withoutCalm.recording.end)
    }

    @Test("Faults that are still active after the script are healed before the comparison")
    func healing() throws {
        var scenario = try Self.messageInOpenConversation()
        let blackhole = try #require(try Fault(verb: "blackhole", Arguments()))
        let post = try #require(try ServerAction(verb: "post", Arguments([(name: "to", value: .text("stukov"))])))
        scenario.script += [
            Self.step(.network, "blackhole", .begin(blackhole)),
            Self.step(.server, "post", .server(post)),
            Self.step(.device, "kill", .client(.kill(down: nil))),
            Self.step(.server, "stop", .server(.stop)),
        ]
        #expect(Self.broken(SimulatedWorld.play(RunPlan(scenario))).isEmpty)
    }

    @Test("A read receipt that is lost with its connection is sent again")
    func lostReceipt() throws {
        var scenario = try Self.messageInOpenConversation()
        let blackhole = try #require(try Fault(verb: "blackhole", Arguments()))
        scenario.script.insert(Self.step(.network, "blackhole", .begin(blackhole)), at: 3)
        scenario.script.append(Self.step(.network, "drop", .begin(try #require(try Fault(verb: "drop", Arguments())))))
        #expect(Self.broken(SimulatedWorld.play(RunPlan(scenario))).isEmpty)
    }
}
