import Adapter
import ChatWire
import SquallCore
import Testing

@testable import ScenarioModel

/// Tests pushes and taps on the phone of a foreign client (one that is not Squall's own).
@Suite struct ForeignPhoneTests {
    private static let offer = AdapterCapabilities(name: "acme", takes: ["push", "tap", "reply"])
    private static let push = Push(
        for: "client",
        conversation: "stukov",
        message: "m1",
        sender: "stukov",
        text: "hello"
    )

    private var run: ScenarioRun

    init() {
        var plan = RunPlan(Scenario(file: "by-hand.yaml", name: "A phone", playOn: .seconds(1000)))
        plan.client = .foreign(ForeignPlan(hasAdapter: true, offer: Self.offer))
        run = ScenarioRun(plan)
    }

    private static func second(_ count: Int64) -> Instant { .zero + .seconds(count) }

    /// Returns, in order, the types of the lines written to the process and, in parentheses, the operations on the
    /// process.
    private static func told(_ outputs: [TransportOutput]) -> [String] {
        outputs.compactMap { output in
            switch output {
            case .foreign(_, .write(let line)):
                (try? JSON.decode(line))?["type"]?.stringValue
            case .foreign(_, .launch): "(launch)"
            case .foreign(_, .pause): "(pause)"
            case .foreign(_, .resume): "(resume)"
            case .kill: "(kill)"
            default: nil
            }
        }
    }

    /// Starts the process and answers `init` on its behalf.
    private mutating func start(at seconds: Int64) -> [String] {
        let now = Self.second(seconds)
        let addresses = AdapterAddresses(endpoint: "127.0.0.1:9", path: "/ws")
        _ = run.handle(.foreign(.only, .started(addresses, isReused: false)), at: now)
        let answer = #"{"in_reply_to":1,"type":"init_ok","name":"acme","takes":["push","tap","reply"]}"# + "\n"
        return Self.told(run.handle(.foreign(.only, .output(Array(answer.utf8))), at: now))
    }

    /// Performs a user or phone command.
    private mutating func perform(_ command: ClientCommand, at seconds: Int64) -> [String] {
        run.outputs.removeAll()
        run.perform(command, on: 0, cause: 0, at: Self.second(seconds))
        return Self.told(run.outputs)
    }

    private mutating func began() {
        _ = run.handle(.ready, at: .zero)
        #expect(start(at: 0) == ["start"])
        #expect(perform(.token("phone-1"), at: 0) == [])
    }

    private mutating func pushed(at seconds: Int64) -> [String] {
        run.deliver(Self.push.payload, to: "phone-1", label: "news", at: Self.second(seconds))
        return Self.told(run.handle(.wake, at: Self.second(seconds + 1)))
    }

    @Test("A running client receives a push and a tap on its notification")
    mutating func itReceivesAPushAndATap() {
        began()
        #expect(pushed(at: 1) == ["push"])
        #expect(perform(.tap(label: "news", push: nil), at: 3) == ["tap"])
        #expect(perform(.tap(label: "news", push: nil), at: 3) == [])
    }

    @Test(
        "A tap or a reply on a notification starts a killed client",
        arguments: [
            ClientCommand.tap(label: "news", push: nil), .reply(to: "news", text: "yes", label: nil, push: nil),
        ]
    )
    mutating func aTapStartsAKilledClient(_ operation: ClientCommand) {
        began()
        #expect(perform(.kill(down: nil), at: 1) == ["(kill)"])
        #expect(pushed(at: 1) == [])
        #expect(perform(operation, at: 3) == ["(launch)"])
        let word = if case .tap = operation { "tap" } else { "reply" }
        #expect(start(at: 3) == ["start", word])
    }

    @Test("The last output of a killed process is not attributed to its successor, even if the launch is already due")
    mutating func theDeadSayNothing() {
        began()
        #expect(perform(.kill(down: .milliseconds(20)), at: 1) == ["(kill)"])
        // The event loop is late: by the time it reads the killed process's last output, the launch is already due.
        let last = Array((#"{"in_reply_to":9,"type":"ok"}"# + "\n").utf8)
        #expect(Self.told(run.handle(.foreign(.only, .output(last)), at: Self.second(2))) == ["(launch)"])
        _ = run.handle(.foreign(.only, .exited(.signal(9))), at: Self.second(2))
        #expect(!run.isOver)
        #expect(start(at: 2) == ["start"])
    }

    @Test("A suspended client receives its pushes after it is resumed")
    mutating func aResumedClientReceivesItsPushes() {
        began()
        #expect(perform(.suspend(.seconds(60), wake: .timersFirst), at: 1) == ["(pause)"])
        #expect(pushed(at: 1) == [])
        #expect(perform(.tap(label: "news", push: nil), at: 3) == ["(resume)", "push", "tap"])
    }
}
